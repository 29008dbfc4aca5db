// Index entries in SQLite. An entry that changes is a new row, whose number is its change.

import type { IndexChange } from '../../../index/page-index.ts';
import type { PageOwner } from '../../../page/page-owner.ts';
import { movable } from '../../encoding/join-bytes.ts';
import type { IndexFeed } from '../../ports/pages/index-feed.ts';
import { type EntrySource, isOutranked } from '../../rules/pages/entry-source.ts';
import { type BooleanColumn, type Database, sql, type Tx } from '../../sql/database.ts';
import type { Bodies, BodyColumns, NewBody } from '../../sql/pages/bodies.ts';
import type { IndexEntries, KnownEntry, LockedEntry } from '../../sql/pages/index-entries.ts';
import type { HostCounters } from '../../sql/pages/stored/host-list.ts';
import { readNote, writeNote } from '../../sql/teams/notes.ts';

const ACKNOWLEDGED_NOTE = 'index settled';
/** Limit per response, so that neither thread is busy with it for long. */
const MAX_BYTES = 1024 * 1024;
/** Entries that are fetched together, if they are in an object store. */
const AHEAD = 16;

interface FeedRows extends IndexFeed, IndexEntries {}

interface EntryRow extends BodyColumns {
  change: number;
  owner: PageOwner;
  url: string;
  firstSeenAt: number;
  isVerified: BooleanColumn;
}

interface FeedRowsDeps {
  database: Database;
  bodies: Bodies;
  hosts: HostCounters;
}

export function createFeedRows({ database, bodies, hosts }: FeedRowsDeps): FeedRows {
  const removeRow = async (tx: Tx, known: KnownEntry) => {
    await tx.run`DELETE FROM index_entries WHERE change = ${known.id}`;
    await bodies.remove(tx, [known]);
  };

  const add = (
    tx: Tx,
    { owner, url }: LockedEntry,
    firstSeenAt: number,
    body: NewBody | undefined,
    { rank, isVerified, fetchedAt }: EntrySource,
  ) => tx.run`
    INSERT INTO index_entries (owner, url, first_seen_at, rank, verified, fetched_at, ${bodies.target})
    VALUES (${owner}, ${url}, ${firstSeenAt}, ${rank}, ${isVerified}, ${fetchedAt},
      ${body ? bodies.values(tx, body) : sql`NULL`})`;

  return {
    async lock(tx, owner, url) {
      const row = await tx.one<Omit<KnownEntry, 'isVerified' | 'exists'> & { isVerified: BooleanColumn }>`
        SELECT change AS id, first_seen_at AS "firstSeenAt", body_id AS "bodyId", rank, verified AS "isVerified",
          fetched_at AS "fetchedAt"
        FROM index_entries WHERE owner = ${owner} AND url = ${url}`;
      const known = row && { ...row, isVerified: Boolean(row.isVerified), exists: row.bodyId !== null };
      return { owner, url, ...(known && { known }) };
    },
    async put(tx, locked, entry, source, now) {
      const { owner, url, known } = locked;
      if (known?.exists && isOutranked(source, known)) return;
      if (known) await removeRow(tx, known);
      await add(tx, locked, known?.firstSeenAt ?? now, entry, source);
      await hosts.count(tx, [{ owner, url, pages: known?.exists ? 0 : 1, at: source.fetchedAt }]);
    },
    async remove(tx, locked, source) {
      const { owner, url, known } = locked;
      if (!known || (source && known.exists && isOutranked(source, known))) return false;
      await removeRow(tx, known);
      await add(tx, locked, known.firstSeenAt, undefined, known);
      if (known.exists) await hosts.count(tx, [{ owner, url, pages: -1 }]);
      return known.exists;
    },
    async state() {
      const [last, acknowledged] = await Promise.all([
        database.one<{ seq: number }>`SELECT seq FROM sqlite_sequence WHERE name = 'index_entries'`,
        readNote(database, ACKNOWLEDGED_NOTE),
      ]);
      return { newest: last?.seq ?? 0, acknowledged: Number(acknowledged ?? 0), dropped: 0 };
    },
    async after(change, limit) {
      const changes: IndexChange[] = [];
      let bytes = 0;
      const rows = await database.rows<EntryRow>`
        SELECT change, owner, url, first_seen_at AS "firstSeenAt", verified AS "isVerified", body_id AS "bodyId"
        FROM index_entries WHERE change > ${change} ORDER BY change LIMIT ${limit}`;
      for (const [index, row] of rows.entries()) {
        if (index % AHEAD === 0) bodies.expect(rows.slice(index, index + AHEAD));
        const entry = await bodies.read(row);
        // If the bytes are lost, the page is removed from the index.
        const own = entry ? movable(entry) : null;
        const { owner, url, firstSeenAt, isVerified } = row;
        changes.push({ change: row.change, owner, url, isVerified: Boolean(isVerified), firstSeenAt, entry: own });
        bytes += own?.byteLength ?? 0;
        if (bytes > MAX_BYTES) break;
      }
      return changes;
    },
    acknowledge: (change) =>
      database.transaction(async (tx) => {
        await writeNote(tx, ACKNOWLEDGED_NOTE, String(change));
        await tx.run`DELETE FROM index_entries WHERE body_id IS NULL AND change <= ${change}`;
      }),
  };
}
