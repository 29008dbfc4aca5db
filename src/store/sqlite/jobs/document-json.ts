// Documents as JSON text, put together from the texts that were stored: nothing is parsed, nothing written anew.
import { continueObject } from '../../../util/json-text.ts';
import type { Connection } from '../../../util/sqlite.ts';
import type { ResultRows } from '../result-rows.ts';

const NO_CONTENT = new TextEncoder().encode('{}');
const LOST = 'The content of this page is lost.';

export interface DocumentJson {
  /** The document of a scrape; undefined when there is none. */
  ofScrape(id: string): Uint8Array | undefined;
  /** The documents of a job in their order, from the one at that position on. */
  ofJob(job: number, from: number, limit: number): Iterable<Uint8Array>;
}

interface DocumentRow {
  metadata: string;
  warning: string | null;
  bodyId: number;
}

export function createDocumentJson(connection: Connection, results: Pick<ResultRows, 'readContent'>): DocumentJson {
  const select = 'SELECT metadata, warning, body_id AS bodyId FROM scrapes JOIN results ON results.id = result_id';
  const ofScrape = connection.prepare<DocumentRow>(`${select} WHERE scrapes.id = ?`);
  const ofJob = connection.prepare<DocumentRow>(`${select} WHERE job = ? AND position >= ? ORDER BY position LIMIT ?`);

  const write = ({ metadata, warning, bodyId }: DocumentRow): Uint8Array => {
    const content = results.readContent(bodyId);
    // One that is lost (a damaged disk) keeps its place: those behind it must not move.
    const told = content ? warning : LOST;
    const warned = told ? `"warning":${JSON.stringify(told)},` : '';
    return continueObject(content ?? NO_CONTENT, `{${warned}"metadata":${metadata}}`);
  };

  return {
    ofScrape(id) {
      const row = ofScrape.get(id);
      return row && write(row);
    },
    *ofJob(job, from, limit) {
      for (const row of ofJob.all(job, from, limit)) yield write(row);
    },
  };
}
