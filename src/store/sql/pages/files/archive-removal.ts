// Removes archives and what they have of pages, with payloads that no other record has.
import { sha256 } from '../../../../util/hash.ts';
import type { ArchiveStore } from '../../../ports/files/archive-store.ts';
import { type Database, type Fragment, type Remover, sql, type Tx } from '../../database.ts';
import type { Bodies, BodyColumns } from '../bodies.ts';

export interface ArchiveRemoval extends Pick<ArchiveStore, 'remove' | 'removeUrls' | 'removeHost'> {
  removeExpired: Remover;
  /** The oldest one, or a part of it. */
  removeOldest(limit: number): Promise<number>;
  /** Call inside a transaction. */
  removePart(tx: Tx, id: string, part: string): Promise<void>;
}

interface Removed {
  payload: number | null;
}

const RECORDS_AT_ONCE = 500;

export function createArchiveRemoval({ database, bodies }: { database: Database; bodies: Bodies }): ArchiveRemoval {
  /** After the records that had them. What another transaction names just now is locked, and stays. */
  const removeUnused = async (tx: Tx, removed: readonly Removed[]) => {
    const ids = [...new Set(removed.flatMap(({ payload }) => payload ?? []))];
    const unused = await tx.rows<BodyColumns & { id: number }>`
      SELECT id, ${bodies.reference} FROM archive_bodies WHERE id = ANY(${ids}::bigint[])
        AND NOT EXISTS (SELECT 1 FROM archive_records WHERE archive_body = archive_bodies.id)
      FOR UPDATE SKIP LOCKED`;
    await tx.run`DELETE FROM archive_bodies WHERE id = ANY(${unused.map(({ id }) => id)}::bigint[])`;
    await bodies.remove(tx, unused);
  };

  /** Removes at most `limit` records of an archive, and then itself. */
  const removeSome = async (tx: Tx, id: string, limit: number): Promise<number> => {
    const removed = await tx.rows<Removed>`
      DELETE FROM archive_records WHERE id IN (SELECT id FROM archive_records WHERE archive_id = ${id} LIMIT ${limit})
      RETURNING archive_body AS payload`;
    await removeUnused(tx, removed);
    return removed.length > 0 ? removed.length : tx.run`DELETE FROM archives WHERE id = ${id}`;
  };

  /** What is left is where something was, and when. */
  const replaceByNotes = (teamId: string, which: Fragment) =>
    database.transaction(async (tx) => {
      const found = await tx.rows<Removed & { id: number }>`
        SELECT id, archive_body AS payload FROM archive_records
        WHERE archive_id IN (SELECT id FROM archives WHERE team_id = ${teamId}) AND archive_body IS NOT NULL AND ${which}
        LIMIT ${RECORDS_AT_ONCE} FOR UPDATE`;
      const nothing = new Uint8Array();
      await tx.run`
        UPDATE archive_records SET archive_body = NULL, page = NULL, request = ${nothing}, response = ${nothing}
        WHERE id = ANY(${found.map(({ id }) => id)}::bigint[])`;
      await removeUnused(tx, found);
      return found.length;
    });
  const replaceAll = async (teamId: string, which: readonly Fragment[]) => {
    let removed = 0;
    for (const some of which)
      for (let more = RECORDS_AT_ONCE; more === RECORDS_AT_ONCE; removed += more)
        more = await replaceByNotes(teamId, some);
    return removed;
  };

  return {
    removeUrls: (teamId, urls) =>
      replaceAll(
        teamId,
        urls.map((url) => sql`url_hash = ${sha256(url)}`),
      ),
    // What begins with the slash ends before the next character.
    removeHost: (teamId, host) =>
      replaceAll(
        teamId,
        [`http://${host}`, `https://${host}`].map((origin) => sql`url >= ${`${origin}/`} AND url < ${`${origin}0`}`),
      ),
    async remove(id, teamId) {
      const remove = () =>
        database.transaction(async (tx) => {
          const found = await tx.one`SELECT 1 FROM archives WHERE id = ${id} AND team_id = ${teamId} FOR UPDATE`;
          return found ? removeSome(tx, id, RECORDS_AT_ONCE) : 0;
        });
      let removed = 0;
      for (let some = await remove(); some > 0; some = await remove()) removed += some;
      return removed > 0;
    },
    async removePart(tx, id, part) {
      const removed = await tx.rows<Removed>`
        DELETE FROM archive_records WHERE archive_id = ${id} AND part = ${part} RETURNING archive_body AS payload`;
      if (removed.length > 0) await removeUnused(tx, removed);
    },
    removeExpired: (now, limit) =>
      database.transaction(async (tx) => {
        const expired = await tx.one<{ id: string }>`
          SELECT id FROM archives WHERE expires_at <= ${now} AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = archives.id)
          LIMIT 1 FOR UPDATE SKIP LOCKED`;
        return expired ? removeSome(tx, expired.id, limit) : 0;
      }),
    removeOldest: (limit) =>
      database.transaction(async (tx) => {
        const oldest = await tx.one<{ id: string }>`
          SELECT id FROM archives ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`;
        return oldest ? removeSome(tx, oldest.id, limit) : 0;
      }),
  };
}
