// The row of a collection: its definition, when it runs next, and how far its changes are numbered.
import type { CollectionDefinition, CollectionRunResult } from '../../../contracts/collection/collection.ts';
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { NewCollection, StoredCollection } from '../../ports/collections/collection-store.ts';
import {
  type CollectionRow,
  type CollectionViewRow,
  type LastRunRow,
  toCollection,
} from '../../rules/collections/collection-record.ts';
import { type Awaitable, type Queries, sql, type Tx } from '../database.ts';
import type { Sealer } from '../sealer.ts';

export interface CollectionRows {
  count(tx: Tx, teamId: string): Promise<number>;
  add(tx: Tx, collection: NewCollection, definition: SealedText): Awaitable<unknown>;
  replace(tx: Tx, row: CollectionRow, collection: NewCollection, definition: SealedText): Awaitable<unknown>;
  /** Finds it and locks it: its changes get their numbers one after the other. Undefined if it is deleted. */
  lock(tx: Tx, id: string): Awaitable<CollectionRow | undefined>;
  lockByName(tx: Tx, teamId: string, name: string): Awaitable<CollectionRow | undefined>;
  /** Locks the collections of the team that have a member at this URL, in the order of their numbers. */
  lockWith(tx: Tx, teamId: string, url: string): Awaitable<CollectionRow[]>;
  find(queries: Queries, id: string): Awaitable<CollectionRow | undefined>;
  /** Writes the counters that a transaction has changed. */
  save(tx: Tx, row: CollectionRow): Awaitable<unknown>;
  view(queries: Queries, teamId: string, name: string, now: number): Promise<StoredCollection | undefined>;
  list(queries: Queries, teamId: string, now: number): Promise<StoredCollection[]>;
  due(queries: Queries, now: number, limit: number): Promise<StoredCollection[]>;
  nextAt(queries: Queries): Promise<number | undefined>;
  /** True if it was due at that time and no other call has moved it on. */
  moveOn(tx: Tx, id: string, from: number, to: number): Promise<boolean>;
  noteStart(tx: Tx, id: string, now: number): Awaitable<unknown>;
  markDeleted(tx: Tx, row: CollectionRow, now: number): Awaitable<unknown>;
  /** Removes deleted collections to which nothing refers any more. */
  removeDeleted(queries: Queries, limit: number): Awaitable<number>;
}

export function createCollectionRows(sealed: Sealer): CollectionRows {
  const read = async (queries: Queries, row: CollectionViewRow, now: number): Promise<StoredCollection | undefined> => {
    const last = await queries.one<LastRunRow>`
      SELECT id, status, finished_at AS "finishedAt", error, result FROM runs /* INDEXED BY runs_by_group */
      WHERE group_id = ${row.id} AND finished_at IS NOT NULL AND expires_at > ${now} ORDER BY number DESC LIMIT 1`;
    const [definition, opened] = await Promise.all([
      sealed.open(row.definition, row.teamId),
      last?.result ? sealed.open(last.result, row.teamId) : undefined,
    ]);
    const lastRun = last && { ...last, ...(opened ? { opened: opened as CollectionRunResult } : {}) };
    return toCollection(row, definition as CollectionDefinition | undefined, lastRun);
  };
  const readAll = async (queries: Queries, rows: readonly CollectionViewRow[], now: number) =>
    (await Promise.all(rows.map((row) => read(queries, row, now)))).filter((one) => one !== undefined);

  return {
    async count(tx, teamId) {
      const counted = await tx.one<{ count: number }>`
        SELECT count(*) AS count FROM collections WHERE team_id = ${teamId} AND NOT is_deleted`;
      return counted!.count;
    },
    add: (tx, { id, teamId, name, key = null, keepMs, nextRunAt, now }, definition) => tx.run`
      INSERT INTO collections (id, team_id, name, key, definition, keep_ms, next_run_at, created_at, updated_at)
      VALUES (${id}, ${teamId}, ${name}, ${key}, ${definition}, ${keepMs}, ${nextRunAt}, ${now}, ${now})`,
    replace: (tx, { number }, { key = null, keepMs, nextRunAt, now }, definition) => tx.run`
      UPDATE collections SET key = ${key}, definition = ${definition}, keep_ms = ${keepMs}, next_run_at = ${nextRunAt}, updated_at = ${now}
      WHERE number = ${number}`,
    lock: (tx, id) => tx.one<CollectionRow>`${COLLECTIONS} WHERE id = ${id} AND NOT is_deleted FOR NO KEY UPDATE`,
    lockByName: (tx, teamId, name) => tx.one<CollectionRow>`
      ${COLLECTIONS} WHERE team_id = ${teamId} AND name = ${name} AND NOT is_deleted FOR NO KEY UPDATE`,
    lockWith: (tx, teamId, url) => tx.rows<CollectionRow>`
      ${COLLECTIONS} WHERE NOT is_deleted AND number IN (
        SELECT collection FROM collection_members WHERE team_id = ${teamId} AND url_key(url) = url_key(${url})
        UNION ALL SELECT collection FROM collection_members
        WHERE team_id = ${teamId} AND url_key(final_url) = url_key(${url}) AND final_url IS NOT NULL)
      ORDER BY number FOR NO KEY UPDATE`,
    find: (queries, id) => queries.one<CollectionRow>`${COLLECTIONS} WHERE id = ${id} AND NOT is_deleted`,
    save: (tx, { number, lastChange, pages }) => tx.run`
      UPDATE collections SET last_change = ${lastChange}, pages = ${pages} WHERE number = ${number}`,
    async view(queries, teamId, name, now) {
      const row = await queries.one<CollectionViewRow>`
        ${VIEWS} WHERE team_id = ${teamId} AND name = ${name} AND NOT is_deleted`;
      return row && read(queries, row, now);
    },
    list: async (queries, teamId, now) =>
      readAll(
        queries,
        await queries.rows<CollectionViewRow>`${VIEWS} WHERE team_id = ${teamId} AND NOT is_deleted ORDER BY name`,
        now,
      ),
    async due(queries, now, limit) {
      const rows = await queries.rows<CollectionViewRow>`
        ${VIEWS} WHERE next_run_at <= ${now} ORDER BY next_run_at LIMIT ${limit}`;
      const collections = await readAll(queries, rows, now);
      const readable = new Set(collections.map(({ id }) => id));
      const unreadable = rows.filter(({ id }) => !readable.has(id)).map(({ number }) => number);
      // They could never be started, and would be due for ever.
      if (unreadable.length > 0)
        await queries.run`UPDATE collections SET next_run_at = NULL WHERE number = ANY(${unreadable}::bigint[])`;
      return collections;
    },
    async nextAt(queries) {
      const next = await queries.one<{ at: number | null }>`
        SELECT min(next_run_at) AS at FROM collections WHERE next_run_at IS NOT NULL`;
      return next!.at ?? undefined;
    },
    moveOn: async (tx, id, from, to) =>
      (await tx.run`UPDATE collections SET next_run_at = ${to} WHERE id = ${id} AND next_run_at = ${from}`) > 0,
    noteStart: (tx, id, now) => tx.run`UPDATE collections SET last_run_at = ${now} WHERE id = ${id}`,
    markDeleted: (tx, { number }, now) => tx.run`
      UPDATE collections SET is_deleted = true, next_run_at = NULL, updated_at = ${now} WHERE number = ${number}`,
    removeDeleted: (queries, limit) => queries.run`
      DELETE FROM collections WHERE number IN (
        SELECT number FROM collections WHERE is_deleted
          AND NOT EXISTS (SELECT 1 FROM collection_members WHERE collection = collections.number)
          AND NOT EXISTS (SELECT 1 FROM runs WHERE group_id = collections.id) LIMIT ${limit})`,
  };
}

const COLLECTIONS = sql`
  SELECT number, id, team_id AS "teamId", keep_ms AS "keepMs", last_change AS "lastChange", forgotten, pages FROM collections`;

const VIEWS = sql`
  SELECT number, id, team_id AS "teamId", name, key, definition, keep_ms AS "keepMs", next_run_at AS "nextRunAt",
    last_run_at AS "lastRunAt", last_change AS "lastChange", forgotten, pages, created_at AS "createdAt", updated_at AS "updatedAt",
    (SELECT id FROM runs WHERE group_id = collections.id AND status IN ('queued', 'running')) AS "currentRunId"
  FROM collections`;
