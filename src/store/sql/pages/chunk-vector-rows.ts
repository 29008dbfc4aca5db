// The vectors of chunks. They can be made again at any time, so they are the first to go when the disk is full.
import {
  type ChunkVectorKey,
  type ChunkVectorStore,
  MAX_VECTOR_PAGES,
  UNUSED_VECTORS_MS,
} from '../../ports/pages/chunk-vector-store.ts';
import type { Awaitable, Database, Remover } from '../database.ts';

export interface ChunkVectorRows extends ChunkVectorStore {
  removeSite(teamId: string, site: string): Awaitable<unknown>;
  removeOldest: Remover;
  /** Whatever the limits. */
  discard(limit: number): Awaitable<number>;
}

/** Recorded no finer than this. */
const USE_RESOLUTION_MS = 60 * 60_000;

/** No site has a blank in its name, so what stands before the first one is the site. */
const rowKey = ({ site, page }: ChunkVectorKey): string => `${site} ${page}`;

export const createChunkVectorRows = (database: Database, maxPages = MAX_VECTOR_PAGES): ChunkVectorRows => ({
  async find(teamId, parts, now) {
    const key = rowKey(parts);
    const row = await database.one<{ vectors: Uint8Array; usedAt: number }>`
      SELECT vectors, used_at AS "usedAt" FROM chunk_vectors WHERE team_id = ${teamId} AND key = ${key}`;
    if (row && now - row.usedAt >= USE_RESOLUTION_MS)
      await database.attempt(
        () => database.run`UPDATE chunk_vectors SET used_at = ${now} WHERE team_id = ${teamId} AND key = ${key}`,
      );
    return row?.vectors;
  },
  put: (teamId, parts, vectors, now) =>
    database.attempt(
      () => database.run`
        INSERT INTO chunk_vectors (team_id, key, vectors, used_at) VALUES (${teamId}, ${rowKey(parts)}, ${vectors}, ${now})
        ON CONFLICT (team_id, key) DO UPDATE SET vectors = excluded.vectors, used_at = excluded.used_at`,
    ),
  // "!" is the character behind the blank.
  removeSite: (teamId, site) =>
    database.run`DELETE FROM chunk_vectors WHERE team_id = ${teamId} AND key >= ${`${site} `} AND key < ${`${site}!`}`,
  async removeOldest(now, limit) {
    const unused = await database.run`
      DELETE FROM chunk_vectors WHERE (team_id, key) IN (
        SELECT team_id, key FROM chunk_vectors WHERE used_at < ${now - UNUSED_VECTORS_MS}
        ORDER BY used_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
    const surplus = await database.run`
      DELETE FROM chunk_vectors WHERE (team_id, key) IN (
        SELECT team_id, key FROM chunk_vectors
        ORDER BY used_at DESC LIMIT ${limit} OFFSET ${maxPages} FOR UPDATE SKIP LOCKED)`;
    return unused + surplus;
  },
  discard: (limit) =>
    database.run`
      DELETE FROM chunk_vectors WHERE (team_id, key) IN (
        SELECT team_id, key FROM chunk_vectors ORDER BY used_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
});
