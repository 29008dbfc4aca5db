// SQL for transform results: attached to a cached page, or detached while a scrape refers to them.
import { movable } from '../../../encoding/join-bytes.ts';
import type { PackedResult } from '../../../encoding/pack-page.ts';
import { contentOf, type StoredOutcome } from '../../../encoding/stored-outcome.ts';
import type { Database, Sql } from '../../database/database.ts';
import type { Bodies, BodyColumns, NewBody } from '../bodies.ts';

const MAX_RESULTS_PER_PAGE = 8;
/** How long a result without references waits for the scrape about to refer to it. */
export const GRACE_MS = 600_000;

/**
 * Those with `sql` are called inside a transaction. A detached result has a time at which it is looked at again: it stays if
 * a scrape refers to it then.
 */
export interface ResultRows {
  addDetached(sql: Sql, result: PackedResult<NewBody>): Promise<number>;
  /** Attaches a result to a page that is locked, replacing one with the same key. Returns by how much the page grew. */
  attach(sql: Sql, pageId: number, result: PackedResult<NewBody>): Promise<{ id: number; growth: number }>;
  readOutcome(body: BodyColumns): Promise<StoredOutcome | undefined>;
  /** The content as JSON text. */
  readContent(body: BodyColumns): Promise<Uint8Array | undefined>;
  /** Scrapes no longer refer to these results. Those without another scrape or a page are removed. */
  release(sql: Sql, ids: readonly number[]): Promise<void>;
  /** Detaches pages that are locked from their results, which stay as long as a scrape refers to them. */
  detachAll(sql: Sql, pageIds: readonly number[], now: number): Promise<void>;
  removeDetached(now: number, limit: number): Promise<number>;
}

export function createResultRows({ transaction }: Pick<Database, 'transaction'>, bodies: Bodies): ResultRows {
  const add = async (
    sql: Sql,
    pageId: number | null,
    { transformKey, body }: PackedResult<NewBody>,
    keepUntil: number | null,
  ): Promise<number> => {
    const [row] = await sql<{ id: number }[]>`
      INSERT INTO results (page_id, transform_key, blob, bytes, size, keep_until)
      VALUES (${pageId}, ${transformKey}, ${body.blob}, ${body.bytes}, ${body.size}, ${keepUntil}) RETURNING id`;
    return row!.id;
  };

  const read = async (body: BodyColumns): Promise<{ stored: Buffer; content: Uint8Array } | undefined> => {
    const stored = await bodies.read(body);
    const content = stored && contentOf(stored);
    return content && { stored, content };
  };

  /** Nothing can begin to refer to locked results, so what refers to them is seen by the next statement. */
  const removeUnused = async (sql: Sql, locked: readonly number[]): Promise<void> => {
    const removed = await sql<BodyColumns[]>`
      DELETE FROM results WHERE id = ANY(${locked as number[]}) AND page_id IS NULL
        AND NOT EXISTS (SELECT 1 FROM scrapes WHERE result_id = results.id)
      RETURNING blob, NULL AS bytes`;
    await bodies.remove(sql, removed);
  };

  return {
    addDetached: (sql, result) => add(sql, null, result, result.now + GRACE_MS),
    async attach(sql, pageId, result) {
      const id = await add(sql, pageId, result, null);
      // The one with the same key, and the oldest ones.
      const replaced = await sql<{ size: number }[]>`
        UPDATE results SET page_id = NULL, keep_until = ${result.now + GRACE_MS}
        WHERE id IN (
          SELECT id FROM results WHERE page_id = ${pageId} AND transform_key = ${result.transformKey} AND id <> ${id}
          UNION (SELECT id FROM results WHERE page_id = ${pageId} AND (transform_key <> ${result.transformKey} OR id = ${id})
            ORDER BY id DESC OFFSET ${MAX_RESULTS_PER_PAGE}))
        RETURNING size`;
      return { id, growth: replaced.reduce((growth, { size }) => growth - size, result.body.size) };
    },
    async readOutcome(body) {
      const found = await read(body);
      return found && movable(found.stored);
    },
    readContent: async (body) => (await read(body))?.content,
    async release(sql, ids) {
      if (ids.length === 0) return;
      await sql`SELECT 1 FROM results WHERE id = ANY(${ids as number[]}) ORDER BY id FOR UPDATE`;
      await removeUnused(sql, ids);
    },
    async detachAll(sql, pageIds, now) {
      await sql`UPDATE results SET page_id = NULL, keep_until = ${now + GRACE_MS} WHERE page_id = ANY(${pageIds as number[]})`;
    },
    removeDetached: (now, limit) =>
      transaction(async (sql) => {
        const due = await sql<{ id: number }[]>`
          SELECT id FROM results WHERE keep_until <= ${now} ORDER BY keep_until LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
        if (due.length === 0) return 0;
        const ids = due.map(({ id }) => id);
        await removeUnused(sql, ids);
        // What is left has a scrape, and is removed with it.
        await sql`UPDATE results SET keep_until = NULL WHERE id = ANY(${ids})`;
        return due.length;
      }),
  };
}
