// API documents as JSON text, assembled from stored texts without parsing or re-encoding them.
import { diskFaultOf } from '../../../util/disk-fault.ts';
import { continued } from '../../../util/json-text.ts';
import type { Connection } from '../../../util/sqlite.ts';
import { joinBytes } from '../../encoding/join-bytes.ts';
import type { ResultRows } from '../result-rows.ts';

const NO_CONTENT = new TextEncoder().encode('{}');
const LOST = 'The stored content of this page is lost. Scrape the page again.';

/** Contents that are fetched together, if they are in an object store. */
const AHEAD = 16;

const LOST_DOCUMENT = [new TextEncoder().encode(JSON.stringify({ warning: LOST, metadata: {} }))];

export interface DocumentJson {
  /** The document of a scrape; undefined if it is no longer stored. */
  ofScrape(id: string): Uint8Array | undefined;
  /** The documents of a job in order, starting at that position, each in parts: a page of them is joined once. */
  ofJob(job: number, from: number, limit: number): Iterable<Uint8Array[]>;
}

interface DocumentRow {
  ownContent: string | null;
  metadata: string;
  warning: string | null;
  bodyId: number;
}

export function createDocumentJson(
  connection: Connection,
  results: Pick<ResultRows, 'readContent' | 'expect'>,
): DocumentJson {
  const select = `SELECT own_content AS ownContent, metadata, warning, body_id AS bodyId
    FROM scrapes JOIN results ON results.id = result_id`;
  const ofScrape = connection.prepare<DocumentRow>(`${select} WHERE scrapes.id = ?`);
  const lastOf = connection.prepare<{ completed: number }>('SELECT completed FROM jobs WHERE number = ?');
  const ofJob = connection.prepare<DocumentRow>(`${select} WHERE job = ? AND position >= ? ORDER BY position LIMIT ?`);

  const write = ({ ownContent, metadata, warning, bodyId }: DocumentRow): Uint8Array[] => {
    const content = results.readContent(bodyId);
    // A lost document (damaged disk) keeps its position, so that later ones do not move.
    const shown = content ? warning : LOST;
    const warned = shown ? `"warning":${JSON.stringify(shown)},` : '';
    const own = content && ownContent !== null ? `${ownContent.slice(1, -1)},` : '';
    return continued(content ?? NO_CONTENT, `{${own}${warned}"metadata":${metadata}}`);
  };

  /** A damaged row costs its own document only; then each one is read for itself. */
  const readRows = (job: number, from: number, limit: number): (DocumentRow | undefined)[] => {
    try {
      return ofJob.all(job, from, limit);
    } catch (error) {
      if (diskFaultOf(error) !== 'damaged') throw error;
    }
    const { completed } = lastOf.get(job) ?? { completed: 0 };
    const positions = Array.from(
      { length: Math.max(0, Math.min(limit, completed - from)) },
      (_, index) => from + index,
    );
    return positions.map((position) => readOne(job, position));
  };
  const readOne = (job: number, position: number): DocumentRow | undefined => {
    try {
      return ofJob.get(job, position, 1);
    } catch (error) {
      if (diskFaultOf(error) !== 'damaged') throw error;
      return undefined;
    }
  };

  return {
    ofScrape(id) {
      const row = ofScrape.get(id);
      return row && joinBytes(write(row));
    },
    *ofJob(job, from, limit) {
      const rows = readRows(job, from, limit);
      for (const [index, row] of rows.entries()) {
        // The reader may stop at any time.
        if (index % AHEAD === 0) results.expect(rows.slice(index, index + AHEAD).flatMap((each) => each?.bodyId ?? []));
        yield row ? write(row) : LOST_DOCUMENT;
      }
    },
  };
}
