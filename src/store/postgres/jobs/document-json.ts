// API documents as JSON text, assembled from stored texts without parsing or re-encoding them.
import { continued } from '../../../util/json-text.ts';
import { joinBytes } from '../../encoding/join-bytes.ts';
import type { BodyColumns } from '../../sql/pages/bodies.ts';
import type { ResultRows } from '../../sql/pages/cache/result-rows.ts';
import type { Sql } from '../database/database.ts';

/** How many contents are read at once. */
const AT_ONCE = 10;
const NO_CONTENT = new TextEncoder().encode('{}');
const LOST = 'The stored content of this page is lost. Scrape the page again.';

export interface DocumentJson {
  /** The document of a scrape; undefined if it is no longer stored. */
  ofScrape(sql: Sql, id: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** The documents of a job in order, starting at that position, each in parts: a page of them is joined once. */
  ofJob(sql: Sql, job: number, from: number, limit: number): AsyncIterable<Uint8Array[]>;
}

interface DocumentRow extends BodyColumns {
  ownContent: string | null;
  metadata: string;
  warning: string | null;
}

export function createDocumentJson(results: Pick<ResultRows, 'readContent'>): DocumentJson {
  const write = async ({ ownContent, metadata, warning, blob, bytes }: DocumentRow): Promise<Uint8Array[]> => {
    const content = await results.readContent({ blob, bytes });
    // A lost document keeps its position, so that later ones do not move.
    const shown = content ? warning : LOST;
    const warned = shown ? `"warning":${JSON.stringify(shown)},` : '';
    const own = content && ownContent !== null ? `${ownContent.slice(1, -1)},` : '';
    return continued(content ?? NO_CONTENT, `{${own}${warned}"metadata":${metadata}}`);
  };

  const select = (sql: Sql) => sql`
    SELECT own_content AS "ownContent", metadata, warning, results.blob, results.bytes
    FROM scrapes JOIN results ON results.id = result_id`;

  return {
    async ofScrape(sql, id) {
      const [row] = await sql<DocumentRow[]>`${select(sql)} WHERE scrapes.id = ${id}`;
      return row && joinBytes(await write(row));
    },
    async *ofJob(sql, job, from, limit) {
      const rows = await sql<DocumentRow[]>`
        ${select(sql)} WHERE scrapes.job = ${job} AND position >= ${from} ORDER BY position LIMIT ${limit}`;
      for (let at = 0; at < rows.length; at += AT_ONCE) {
        yield* await Promise.all(rows.slice(at, at + AT_ONCE).map(write));
      }
    },
  };
}
