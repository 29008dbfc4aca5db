// Which blobs a database refers to, for tools that read it from outside, whatever its version.
import type { DatabaseSync } from 'node:sqlite';

export interface BlobNames {
  inFolder: string[];
  /** How many are in an object store. */
  moved: number;
}

export function readBlobNames(database: DatabaseSync): BlobNames {
  const hasObjects = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'objects'`).get() !== undefined;
  const all = database.prepare('SELECT blob FROM bodies WHERE blob IS NOT NULL').all() as { blob: string }[];
  const objects = hasObjects ? (database.prepare('SELECT name FROM objects').all() as { name: string }[]) : [];
  const moved = new Set(objects.map(({ name }) => name));
  const inFolder = all.map(({ blob }) => blob).filter((blob) => !moved.has(blob));
  return { inFolder, moved: all.length - inFolder.length };
}
