// Removes blobs that no row names: those whose rows were removed, and orphans of processes that died between putting a blob and
// naming it.
import { randomToken } from '../../../../util/ids.ts';
import type { BlobStore, ListedBlob } from '../../../ports/files/blob-store.ts';
import type { PostgresDatabase } from '../../database/database.ts';

export interface BlobSweep {
  /** Removes at most `limit` blobs whose rows were removed, and returns how many there were. */
  removeNoted(limit: number): Promise<number>;
  /** Looks at some of the stored blobs, going on where the last call of this process ended. */
  removeOrphans(): Promise<void>;
}

/** By the clock of the blob store. A blob that is younger may be named by a transaction that is still running. */
const ORPHAN_AGE_MS = 3_600_000;
const NAME_BYTES = 16;
const LISTED_AT_ONCE = 500;
const LISTS_PER_SWEEP = 4;

export function createBlobSweep({ sql }: Pick<PostgresDatabase, 'sql'>, blobs: BlobStore): BlobSweep {
  let position = '';

  /** Lists are in the order of the names, so that the names of rows are a range, too. */
  const unnamed = async (listed: readonly ListedBlob[]): Promise<ListedBlob[]> => {
    const [first, last] = [listed[0]!.name, listed.at(-1)!.name];
    const rows = await sql<{ name: string }[]>`
      SELECT name FROM named_blobs WHERE name >= ${first} AND name <= ${last}`;
    const named = new Set(rows.map(({ name }) => name));
    return listed.filter(({ name }) => !named.has(name));
  };

  return {
    async removeNoted(limit) {
      const rows = await sql<{ name: string }[]>`SELECT name FROM removed_blobs LIMIT ${limit}`;
      if (rows.length === 0) return 0;
      const names = rows.map(({ name }) => name);
      await blobs.remove(names);
      await sql`DELETE FROM removed_blobs WHERE name = ANY(${names})`;
      return rows.length;
    },
    async removeOrphans() {
      for (let round = 0; round < LISTS_PER_SWEEP; round++) {
        const listed = await blobs.list(position, LISTED_AT_ONCE);
        const candidates = listed.length > 0 ? await unnamed(listed) : [];
        if (candidates.length > 0) {
          const before = (await timeOf(blobs)) - ORPHAN_AGE_MS;
          await blobs.remove(candidates.filter(({ writtenAt }) => writtenAt <= before).map(({ name }) => name));
        }
        position = listed.length < LISTED_AT_ONCE ? '' : listed.at(-1)!.name;
        if (position === '') return;
      }
    },
  };
}

/** The time by the clock of the blob store, which alone dates its blobs. */
async function timeOf(blobs: BlobStore): Promise<number> {
  const name = randomToken(NAME_BYTES);
  await blobs.put(name, new Uint8Array(1));
  try {
    const [own] = await blobs.list(name.slice(0, -1), 1);
    return own?.writtenAt ?? 0;
  } finally {
    await blobs.remove([name]);
  }
}
