// Reads the migrations of a schema: numbered .sql files of one folder, in the order of their numbers.
import { readdirSync, readFileSync } from 'node:fs';
import { assert } from '../../util/assert.ts';

export interface MigrationFile {
  version: number;
  sql: string;
}

/** Two files with the same number are refused: a database would get one of them and never the other. */
export function readMigrationFiles(folder: URL): MigrationFile[] {
  const versions = new Map<number, string>();
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => {
      const version = Number.parseInt(name, 10);
      assert(version > 0, `The migration ${name} has no number.`);
      assert(!versions.has(version), `The migrations ${versions.get(version)} and ${name} have the same number.`);
      versions.set(version, name);
      return { version, sql: readFileSync(new URL(name, folder), 'utf8') };
    })
    .toSorted((one, other) => one.version - other.version);
}
