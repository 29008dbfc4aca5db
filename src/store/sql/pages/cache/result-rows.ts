// Transform results: attached to a cached page, or detached while a scrape refers to them.
import { movable } from '../../../encoding/join-bytes.ts';
import type { PackedResult } from '../../../encoding/pack-page.ts';
import { contentOf, type StoredOutcome } from '../../../encoding/stored-outcome.ts';
import type { Database, Remover, Tx } from '../../database.ts';
import type { Bodies, BodyColumns, NewBody } from '../bodies.ts';

const MAX_RESULTS_PER_PAGE = 8;
/** How long a result without references waits for the scrape about to refer to it. */
export const GRACE_MS = 600_000;

/**
 * Those with `tx` are called inside a transaction. A detached result has a time at which it is looked at again: it stays if
 * a scrape refers to it then.
 */
export interface ResultRows {
  addDetached(tx: Tx, result: PackedResult<NewBody>): Promise<number>;
  /** The first result of a new page. */
  addTo(tx: Tx, pageId: number, result: PackedResult<NewBody>): Promise<number>;
  /** Attaches a result to a page that is locked, replacing one with the same key. Returns by how much the page grew. */
  attach(tx: Tx, pageId: number, result: PackedResult<NewBody>): Promise<{ id: number; growth: number }>;
  readOutcome(body: BodyColumns): Promise<StoredOutcome | undefined>;
  /** The content as JSON text. */
  readContent(body: BodyColumns): Promise<Uint8Array | undefined>;
  /** Scrapes no longer refer to these results. Those without another scrape or a page are removed. */
  release(tx: Tx, ids: readonly number[]): Promise<void>;
  /** Detaches pages that are locked from their results, which stay as long as a scrape refers to them. */
  detachAll(tx: Tx, pageIds: readonly number[], now: number): Promise<void>;
  removeDetached: Remover;
}

export function createResultRows(database: Pick<Database, 'transaction'>, bodies: Bodies): ResultRows {
  const add = async (
    tx: Tx,
    pageId: number | null,
    { transformKey, body }: PackedResult<NewBody>,
    keepUntil: number | null,
  ): Promise<number> => {
    return tx.add`
      INSERT INTO results (page_id, transform_key, size, keep_until, ${bodies.target})
      VALUES (${pageId}, ${transformKey}, ${body.size}, ${keepUntil}, ${bodies.values(tx, body)})`;
  };

  const read = async (body: BodyColumns): Promise<{ stored: Buffer; content: Uint8Array } | undefined> => {
    const stored = await bodies.read(body);
    const content = stored && contentOf(stored);
    return content && { stored, content };
  };

  /** Nothing can begin to refer to locked results, so what refers to them is seen by the next statement. */
  const removeUnused = async (tx: Tx, locked: readonly number[]): Promise<void> => {
    const removed = await tx.rows<BodyColumns>`
      DELETE FROM results WHERE id = ANY(${locked}::bigint[]) AND page_id IS NULL
        AND NOT EXISTS (SELECT 1 FROM scrapes WHERE result_id = results.id)
      RETURNING ${bodies.reference}`;
    await bodies.remove(tx, removed);
  };

  const detach = async (tx: Tx, attached: readonly { id: number }[], now: number): Promise<void> => {
    if (attached.length === 0) return;
    await tx.run`
      UPDATE results SET page_id = NULL, keep_until = ${now + GRACE_MS}
      WHERE id = ANY(${attached.map(({ id }) => id)}::bigint[])`;
  };

  return {
    addDetached: (tx, result) => add(tx, null, result, result.now + GRACE_MS),
    addTo: (tx, pageId, result) => add(tx, pageId, result, null),
    async attach(tx, pageId, result) {
      const earlier = await tx.rows<{ id: number; transformKey: string; size: number }>`
        SELECT id, transform_key AS "transformKey", size FROM results WHERE page_id = ${pageId} ORDER BY id DESC`;
      const id = await add(tx, pageId, result, null);
      const isSame = ({ transformKey }: { transformKey: string }) => transformKey === result.transformKey;
      const others = earlier.filter((one) => !isSame(one));
      const replaced = [...earlier.filter(isSame), ...others.slice(MAX_RESULTS_PER_PAGE - 1)];
      await detach(tx, replaced, result.now);
      return { id, growth: replaced.reduce((growth, { size }) => growth - size, result.body.size) };
    },
    async readOutcome(body) {
      const found = await read(body);
      return found && movable(found.stored);
    },
    readContent: async (body) => (await read(body))?.content,
    async release(tx, ids) {
      if (ids.length === 0) return;
      await tx.rows`SELECT 1 FROM results WHERE id = ANY(${ids}::bigint[]) ORDER BY id FOR UPDATE`;
      await removeUnused(tx, ids);
    },
    async detachAll(tx, pageIds, now) {
      const results = await tx.rows<{ id: number }>`SELECT id FROM results WHERE page_id = ANY(${pageIds}::bigint[])`;
      await detach(tx, results, now);
    },
    removeDetached: (now, limit) =>
      database.transaction(async (tx) => {
        const due = await tx.rows<{ id: number }>`
          SELECT id FROM results WHERE keep_until <= ${now} ORDER BY keep_until LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
        if (due.length === 0) return 0;
        const ids = due.map(({ id }) => id);
        await removeUnused(tx, ids);
        // The remaining results belong to scrapes, and are removed with them.
        await tx.run`UPDATE results SET keep_until = NULL WHERE id = ANY(${ids}::bigint[])`;
        return due.length;
      }),
  };
}
