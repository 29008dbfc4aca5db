// SQL for index entries, which are numbered as they change.
import type { PageOwner } from '../../contracts/page-owner.ts';
import type { IndexChange } from '../../index/page-index.ts';
import type { Connection } from '../../util/sqlite.ts';
import type { CompressedBytes } from '../encoding/compress.ts';
import { movable } from '../encoding/join-bytes.ts';
import type { IndexFeed } from '../index-feed.ts';
import { type EntrySource, isOutranked } from '../records/pages/entry-source.ts';
import type { Bodies } from './bodies.ts';
import type { NoteRows } from './note-rows.ts';
import type { Served } from './served.ts';
import type { HostRows } from './stored/host-rows.ts';

const ACKNOWLEDGED_NOTE = 'index settled';
/** Limit per response, so that neither thread is busy with it for long. */
const MAX_BYTES = 1024 * 1024;
/** Entries that are fetched together, if they are in an object store. */
const AHEAD = 16;

export interface FeedRows extends Served<IndexFeed> {
  /**
   * Call inside a transaction, like `remove`. Both change nothing if the entry was made from a better variant of the page
   * that is still fresh.
   */
  put(owner: PageOwner, url: string, entry: CompressedBytes, source: EntrySource, now: number): void;
  /** Without a source, removes the entry in any case. True if there was one. */
  remove(owner: PageOwner, url: string, source?: EntrySource): boolean;
}

interface EntryRow {
  change: number;
  owner: PageOwner;
  url: string;
  firstSeenAt: number;
  bodyId: number | null;
  rank: number;
  verified: 0 | 1;
  fetchedAt: number;
}

interface FeedRowsDeps {
  connection: Connection;
  bodies: Bodies;
  notes: NoteRows;
  hosts: Pick<HostRows, 'count'>;
}

export function createFeedRows({ connection, bodies, notes, hosts }: FeedRowsDeps): FeedRows {
  const sql = prepareAll(connection);

  /** Removes the entry of a page with its bytes. */
  const take = (owner: PageOwner, url: string): EntryRow | undefined => {
    const row = sql.remove.get(owner, url);
    if (row && row.bodyId !== null) {
      bodies.remove(row.bodyId);
      hosts.count(owner, url, { pages: -1 });
    }
    return row;
  };

  return {
    put(owner, url, entry, source, now) {
      if (isWorse(source, sql.find.get(owner, url))) return;
      const { rank, isVerified, fetchedAt } = source;
      const firstSeenAt = take(owner, url)?.firstSeenAt ?? now;
      sql.add.run(owner, url, firstSeenAt, bodies.add(entry), rank, isVerified ? 1 : 0, fetchedAt);
      hosts.count(owner, url, { pages: 1 }, fetchedAt);
    },
    remove(owner, url, source) {
      if (source && isWorse(source, sql.find.get(owner, url))) return false;
      const row = take(owner, url);
      if (row) sql.add.run(owner, url, row.firstSeenAt, null, row.rank, row.verified, row.fetchedAt);
      return row !== undefined && row.bodyId !== null;
    },
    state: () => ({
      newest: sql.newest.get()?.seq ?? 0,
      acknowledged: Number(notes.read(ACKNOWLEDGED_NOTE) ?? 0),
      dropped: 0,
    }),
    after(change, limit) {
      const changes: IndexChange[] = [];
      let bytes = 0;
      const rows = sql.after.all(change, limit);
      for (const [index, row] of rows.entries()) {
        if (index % AHEAD === 0) bodies.expect(rows.slice(index, index + AHEAD).map(({ bodyId }) => bodyId));
        const entry = row.bodyId === null ? undefined : bodies.read(row.bodyId);
        // If the bytes are lost, the page is removed from the index.
        const own = entry ? movable(entry) : null;
        const { owner, url, firstSeenAt, verified } = row;
        changes.push({ change: row.change, owner, url, isVerified: verified === 1, firstSeenAt, entry: own });
        bytes += own?.byteLength ?? 0;
        if (bytes > MAX_BYTES) break;
      }
      return changes;
    },
    acknowledge(change) {
      connection.transaction(() => {
        notes.write(ACKNOWLEDGED_NOTE, String(change));
        sql.removeForgotten.run(change);
      });
    },
  };
}

const isWorse = (source: EntrySource, known: EntryRow | undefined): boolean =>
  known !== undefined && known.bodyId !== null && isOutranked(source, { ...known, isVerified: known.verified === 1 });

const ENTRY =
  'change, owner, url, first_seen_at AS firstSeenAt, body_id AS bodyId, rank, verified, fetched_at AS fetchedAt';

const prepareAll = (connection: Connection) => ({
  add: connection.prepare(
    'INSERT INTO index_entries (owner, url, first_seen_at, body_id, rank, verified, fetched_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ),
  find: connection.prepare<EntryRow>(`SELECT ${ENTRY} FROM index_entries WHERE owner = ? AND url = ?`),
  remove: connection.prepare<EntryRow>(`DELETE FROM index_entries WHERE owner = ? AND url = ? RETURNING ${ENTRY}`),
  after: connection.prepare<EntryRow>(`SELECT ${ENTRY} FROM index_entries WHERE change > ? ORDER BY change LIMIT ?`),
  newest: connection.prepare<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'index_entries'`),
  removeForgotten: connection.prepare('DELETE FROM index_entries WHERE body_id IS NULL AND change <= ?'),
});
