// API documents as JSON text, assembled from stored texts without parsing or re-encoding them.
import { diskFaultOf } from '../../../runtime/sqlite/disk-fault.ts';
import { continued } from '../../../util/json/json-text.ts';
import { type Bytes, joinBytes } from '../../encoding/join-bytes.ts';
import { type Awaitable, type Database, sql } from '../database.ts';
import type { Bodies, BodyColumns } from '../pages/bodies.ts';
import type { ResultRows } from '../pages/cache/result-rows.ts';

/** So many contents are read together, unless they are large: the reader may stop after any of them. */
const AT_ONCE = 16;
const BYTES_AT_ONCE = 1024 ** 2;
const NO_CONTENT = new TextEncoder().encode('{}');
const LOST = 'The stored content of this page is lost. Scrape the page again.';
const LOST_DOCUMENT = [new TextEncoder().encode(JSON.stringify({ warning: LOST, metadata: {} }))];

/** Never call it in a transaction: it reads contents. */
export interface DocumentJson {
  /** The document of a scrape; undefined if it is no longer stored. */
  ofScrape(id: string): Promise<Bytes | undefined>;
  /** The documents of a job in order, starting at that position, each in parts: a page of them is joined once. */
  ofJob(job: number, from: number, limit: number): AsyncIterable<Uint8Array[]>;
}

interface DocumentJsonDeps {
  database: Database;
  bodies: Pick<Bodies, 'columns' | 'expect'>;
  results: Pick<ResultRows, 'readContent'>;
}

interface DocumentRow extends BodyColumns {
  ownContent: string | null;
  metadata: string;
  warning: string | null;
  size: number;
}

export function createDocumentJson({ database, bodies, results }: DocumentJsonDeps): DocumentJson {
  const SELECT = sql`
    SELECT own_content AS "ownContent", metadata, warning, size, ${bodies.columns}
    FROM scrapes JOIN results ON results.id = result_id`;

  const readRows = (job: number, from: number, limit: number) => database.rows<DocumentRow>`
    ${SELECT} WHERE scrapes.job = ${job} AND position >= ${from} ORDER BY position LIMIT ${limit}`;

  /** A damaged row costs its own document only; then each one is read for itself. */
  const readUndamaged = async (job: number, from: number, limit: number): Promise<(DocumentRow | undefined)[]> => {
    const whole = await unlessDamaged(() => readRows(job, from, limit));
    if (whole) return whole;
    const found = await database.one<{ completed: number }>`SELECT completed FROM jobs WHERE number = ${job}`;
    const rows: (DocumentRow | undefined)[] = [];
    for (let position = from; position < Math.min(found?.completed ?? 0, from + limit); position++)
      rows.push((await unlessDamaged(() => readRows(job, position, 1)))?.[0]);
    return rows;
  };

  return {
    async ofScrape(id) {
      const row = await database.one<DocumentRow>`${SELECT} WHERE scrapes.id = ${id}`;
      if (!row) return undefined;
      return joinBytes(documentOf(row, await results.readContent(row)));
    },
    async *ofJob(job, from, limit) {
      const rows = await readUndamaged(job, from, limit);
      for (let at = 0; at < rows.length; ) {
        const some = rows.slice(at, at + countAtOnce(rows, at));
        const found = some.filter((row) => row !== undefined);
        bodies.expect(found);
        const read = await Promise.all(found.map(results.readContent));
        for (const row of some) yield row ? documentOf(row, read.shift()) : LOST_DOCUMENT;
        at += some.length;
      }
    },
  };
}

function documentOf({ ownContent, metadata, warning }: DocumentRow, content: Uint8Array | undefined): Uint8Array[] {
  // A lost document keeps its position, so that later ones do not move.
  const shown = content ? warning : LOST;
  const warned = shown ? `"warning":${JSON.stringify(shown)},` : '';
  const own = content && ownContent !== null ? `${ownContent.slice(1, -1)},` : '';
  return continued(content ?? NO_CONTENT, `{${own}${warned}"metadata":${metadata}}`);
}

function countAtOnce(rows: readonly ({ size: number } | undefined)[], from: number): number {
  let bytes = rows[from]?.size ?? 0;
  let count = 1;
  while (count < AT_ONCE && from + count < rows.length) {
    bytes += rows[from + count]?.size ?? 0;
    if (bytes > BYTES_AT_ONCE) break;
    count += 1;
  }
  return count;
}

async function unlessDamaged<T>(read: () => Awaitable<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (diskFaultOf(error) !== 'damaged') throw error;
    return undefined;
  }
}
