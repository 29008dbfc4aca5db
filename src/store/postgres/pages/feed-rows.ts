// SQL for index entries, which are numbered as they change. A change is pending until a reader numbers it: the lock of the one
// row of index_feed makes sure that numbers appear in their order, whatever order the writers commit in.

import type { IndexChange } from '../../../index/page-index.ts';
import type { PageOwner } from '../../../page/page-owner.ts';
import { movable } from '../../encoding/join-bytes.ts';
import type { FeedState, IndexFeed } from '../../ports/pages/index-feed.ts';
import { type EntrySource, isOutranked } from '../../rules/pages/entry-source.ts';
import type { Tx } from '../../sql/database.ts';
import type { Bodies, BodyColumns, NewBody } from '../../sql/pages/bodies.ts';
import type { IndexEntries, KnownEntry, LockedEntry } from '../../sql/pages/index-entries.ts';
import type { PostgresDatabase, Sql } from '../database/database.ts';
import type { PostgresTx } from '../database/queries.ts';
import type { PostgresHostCounters } from './host-counters.ts';

/** Limit per response, in compressed bytes. */
const MAX_BYTES = 1024 * 1024;
/** What a body in the blob store counts for. */
const LARGE_BYTES = 256 * 1024;
const NUMBERED_AT_ONCE = 1_000;
const FORGOTTEN_AFTER = '1 day';
/** For callers that have only one index. */
const ONLY_CONSUMER = 'index';

interface FeedRows extends IndexFeed, IndexEntries {}

interface FeedRowsDeps {
  database: Pick<PostgresDatabase, 'sql' | 'transaction'>;
  bodies: Bodies;
  hosts: Pick<PostgresHostCounters, 'count' | 'countFor'>;
}

export function createFeedRows({ database, bodies, hosts }: FeedRowsDeps): FeedRows {
  const { sql: pool, transaction } = database;

  const lock = async (tx: Tx, owner: PageOwner, url: string): Promise<LockedEntry> => {
    const known = await tx.one<KnownEntry>`
      SELECT id, first_seen_at AS "firstSeenAt", rank, verified AS "isVerified", fetched_at AS "fetchedAt", blob,
        blob IS NOT NULL OR bytes IS NOT NULL AS exists
      FROM index_entries WHERE owner = ${owner} AND url_key(url) = url_key(${url}) FOR UPDATE`;
    return { owner, url, ...(known && { known }) };
  };

  /** False if another transaction has just added the entry. */
  const add = async (tx: Tx, owner: PageOwner, url: string, entry: NewBody, source: EntrySource, now: number) => {
    const { sql } = tx as PostgresTx;
    const { rank, isVerified, fetchedAt } = source;
    const { blob = null, bytes = null } = entry;
    const added = await sql`
      WITH added AS (
        INSERT INTO index_entries (owner, url, first_seen_at, rank, verified, fetched_at, blob, bytes, pending)
        VALUES (${owner}, ${url}, ${now}, ${rank}, ${isVerified}, ${fetchedAt}, ${blob}, ${bytes},
          nextval('pending_changes'))
        ON CONFLICT (owner, url_key(url)) DO NOTHING RETURNING id
      ) ${hosts.countFor(sql, sql`added`, { owner, url, pages: 1, at: fetchedAt })}`;
    return added.count > 0;
  };

  const replace = async (
    tx: Tx,
    { owner, url }: LockedEntry,
    known: KnownEntry,
    entry: NewBody,
    source: EntrySource,
  ) => {
    const { rank, isVerified, fetchedAt } = source;
    await Promise.all([
      tx.run`
        UPDATE index_entries SET ${bodies.assign(tx, entry)}, rank = ${rank}, verified = ${isVerified},
          fetched_at = ${fetchedAt}, change = NULL, pending = nextval('pending_changes')
        WHERE id = ${known.id}`,
      bodies.remove(tx, [known]),
      hosts.count(tx, [{ owner, url, pages: known.exists ? 0 : 1, at: fetchedAt }]),
    ]);
  };

  /** Gives pending changes their numbers, in the order in which they were written. */
  const numberPending = async (): Promise<void> => {
    const [pending] = await pool`SELECT 1 FROM index_entries WHERE pending IS NOT NULL LIMIT 1`;
    if (!pending) return;
    for (let numbered = NUMBERED_AT_ONCE; numbered === NUMBERED_AT_ONCE; ) numbered = await transaction(numberSome);
  };

  return {
    lock,
    async put(tx, locked, entry, source, now) {
      const { owner, url } = locked;
      for (let { known } = locked; ; { known } = await lock(tx, owner, url)) {
        if (known?.exists && isOutranked(source, known)) return;
        if (known) return replace(tx, locked, known, entry, source);
        if (await add(tx, owner, url, entry, source, now)) return;
      }
    },
    async remove(tx, { owner, url, known }, source) {
      if (!known || (source && known.exists && isOutranked(source, known))) return false;
      await Promise.all([
        tx.run`
          UPDATE index_entries SET blob = NULL, bytes = NULL, change = NULL, pending = nextval('pending_changes')
          WHERE id = ${known.id}`,
        bodies.remove(tx, [known]),
        known.exists && hosts.count(tx, [{ owner, url, pages: -1 }]),
      ]);
      return known.exists;
    },
    async state(consumer) {
      await numberPending();
      const [state] = await pool<FeedState[]>`
        SELECT newest, dropped, coalesce(${
          consumer === undefined
            ? pool`(SELECT min(acknowledged) FROM feed_consumers WHERE ${isAlive(pool)})`
            : pool`(SELECT acknowledged FROM feed_consumers WHERE name = ${consumer})`
        }, 0)::bigint AS acknowledged FROM index_feed`;
      if (consumer !== undefined) await noteSeen(pool, consumer);
      return state!;
    },
    async after(change, limit) {
      await numberPending();
      const rows = await pool<(Omit<IndexChange, 'entry'> & BodyColumns)[]>`
        SELECT change, owner, url, verified AS "isVerified", first_seen_at AS "firstSeenAt", blob, bytes FROM (
          SELECT *, sum(length) OVER (ORDER BY change) - length AS before FROM (
            SELECT *, CASE WHEN blob IS NULL THEN coalesce(octet_length(bytes), 0) ELSE ${LARGE_BYTES}::integer END AS length
            FROM index_entries WHERE change > ${change} ORDER BY change LIMIT ${limit}) AS next
        ) AS summed WHERE before <= ${MAX_BYTES} ORDER BY change`;
      return Promise.all(
        rows.map(async ({ blob, bytes, ...row }) => {
          // If the bytes are lost, the page is removed from the index.
          const entry = await bodies.read({ blob, bytes });
          return { ...row, entry: entry ? movable(entry) : null };
        }),
      );
    },
    acknowledge: (change, consumer = ONLY_CONSUMER) =>
      transaction(async (sql) => {
        await sql`
          INSERT INTO feed_consumers (name, acknowledged, seen_at) VALUES (${consumer}, ${change}, now())
          ON CONFLICT (name) DO UPDATE
            SET acknowledged = CASE WHEN excluded.acknowledged = 0 THEN 0
              ELSE greatest(feed_consumers.acknowledged, excluded.acknowledged) END, seen_at = now()`;
        await sql`DELETE FROM feed_consumers WHERE NOT ${isAlive(sql)}`;
        const dropped = await sql<{ change: number }[]>`
          DELETE FROM index_entries WHERE blob IS NULL AND bytes IS NULL
            AND change <= (SELECT min(acknowledged) FROM feed_consumers) RETURNING change`;
        if (dropped.length === 0) return;
        const highest = dropped.reduce((last, row) => Math.max(last, row.change), 0);
        await sql`UPDATE index_feed SET dropped = greatest(dropped, ${highest}::bigint)`;
      }),
  };
}

const isAlive = (sql: Sql) => sql`seen_at > now() - ${FORGOTTEN_AFTER}::interval`;

const noteSeen = (sql: Sql, name: string) => sql`
  INSERT INTO feed_consumers (name, acknowledged, seen_at) VALUES (${name}, 0, now())
  ON CONFLICT (name) DO UPDATE SET seen_at = now()`;

async function numberSome(sql: Sql): Promise<number> {
  await sql`SELECT 1 FROM index_feed FOR UPDATE`;
  // Waits for rows that are being written again: what was committed before the call must have a number after it.
  const pending = await sql<{ id: number }[]>`
    SELECT id FROM index_entries WHERE pending IS NOT NULL ORDER BY pending LIMIT ${NUMBERED_AT_ONCE} FOR UPDATE`;
  if (pending.length === 0) return 0;
  await sql`
    UPDATE index_entries SET pending = NULL, change = newest + place
    FROM index_feed, unnest(${pending.map(({ id }) => id)}::bigint[]) WITH ORDINALITY AS numbered (entry, place)
    WHERE id = entry`;
  await sql`UPDATE index_feed SET newest = newest + ${pending.length}`;
  return pending.length;
}
