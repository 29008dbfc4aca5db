// Reads the migrations of a schema: numbered .sql files of one folder, in the order of their numbers. The first one is the
// base: it makes a new database, and nothing before it can be upgraded here.
import { readdirSync, readFileSync } from 'node:fs';
import { assert } from '../../util/assert.ts';

export interface MigrationFile {
  version: number;
  sql: string;
}

/** The last commit with the migrations that led to the bases. */
export const UPGRADER = 'commit f6905ffc of Trawl';

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

/** Says why a schema older than the base cannot be used, and what to do. Undefined for newer schemas and for empty stores. */
export function tooOld(
  what: string,
  found: number,
  migrations: readonly MigrationFile[],
  todo = `Start ${UPGRADER} on it once`,
): string | undefined {
  const base = migrations[0]?.version ?? 0;
  if (found === 0 || found >= base) return undefined;
  return `${what} has schema ${found}, and this version of Trawl upgrades from schema ${base} on. ${todo}, which upgrades it to schema ${base}.`;
}
