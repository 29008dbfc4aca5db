// Where large bodies are: in the database, or in an object store once one is set. What was in the database before stays there
// and is still read.
import type { BlobStore, ListedBlob } from '../ports/files/blob-store.ts';
import { StoreError } from '../ports/store-error.ts';
import { createBlobRows } from './blob-rows.ts';
import type { PostgresDatabase } from './database/database.ts';

/** `isInUse`: the database already refers to objects, so they have to be there. */
export type OpenObjects = (isInUse: boolean) => Promise<BlobStore>;

const NOTE = 'object store';

export async function openBlobs(database: PostgresDatabase, openObjects: OpenObjects | undefined): Promise<BlobStore> {
  const { sql } = database;
  const rows = createBlobRows(database);
  const isInUse = (await sql`SELECT 1 FROM notes WHERE name = ${NOTE}`).length > 0;
  if (!openObjects) {
    if (!isInUse) return rows;
    throw new StoreError(
      'Large bodies of this database are in an object store. Set TRAWL_BLOBS_URL as the other processes have it.',
    );
  }
  const objects = await openObjects(isInUse);
  await sql`INSERT INTO notes (name, value) VALUES (${NOTE}, 'used') ON CONFLICT DO NOTHING`;
  const isRow = async (name: string) => (await sql`SELECT 1 FROM blobs WHERE name = ${name}`).length > 0;
  return joinBlobs(objects, rows, isRow);
}

/** New blobs go to the first. */
function joinBlobs(first: BlobStore, older: BlobStore, isOlder: (name: string) => Promise<boolean>): BlobStore {
  const { link } = first;
  return {
    ...first,
    read: async (name) => (await first.read(name)) ?? older.read(name),
    stream: async (name, range) => (await first.stream(name, range)) ?? older.stream(name, range),
    remove: async (names) => void (await Promise.all([first.remove(names), older.remove(names)])),
    async list(after, limit) {
      const lists = await Promise.all([first.list(after, limit), older.list(after, limit)]);
      return lists.flat().toSorted(byName).slice(0, limit);
    },
    ...(link && { link: async (name, options) => ((await isOlder(name)) ? undefined : link(name, options)) }),
    close: async () => void (await Promise.all([first.close(), older.close()])),
  };
}

const byName = (one: ListedBlob, other: ListedBlob): number => (one.name < other.name ? -1 : 1);
