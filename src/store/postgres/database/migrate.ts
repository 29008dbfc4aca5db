// Migrates the schema: numbered .sql files, forward only. Several processes may start at once, and older ones may still run.
import { type MigrationFile, readMigrationFiles, tooOld } from '../../data-folder/migration-files.ts';
import { StoreError } from '../../ports/store-error.ts';
import type { PostgresDatabase, Sql } from './database.ts';

export interface Migration extends MigrationFile {
  /** The oldest schema that a program may be made for and still work with this one. */
  worksFrom: number;
}

const MIGRATIONS = new URL('../migrations/', import.meta.url);
/** Number of the advisory lock: any that nobody else uses. */
const LOCK = 7_281_964;
const WORKS_FROM = /^-- works-from: (\d+)$/m;

export async function migrate(database: PostgresDatabase, migrations: Migration[] = readMigrations()): Promise<void> {
  await database.transaction(async (sql) => {
    // Another process may migrate a large table for minutes, and so may this one.
    await sql`SET LOCAL lock_timeout = 0`;
    await sql`SET LOCAL statement_timeout = 0`;
    await sql`SELECT pg_advisory_xact_lock(${LOCK})`;
    await sql`CREATE TABLE IF NOT EXISTS schema_versions (
      version integer PRIMARY KEY, works_from integer NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`;
    const { found, problem } = await versionOf(sql, migrations);
    if (problem !== undefined) throw new StoreError(problem);
    // Running processes must not wait long behind a table that this one waits for.
    await sql`SET LOCAL lock_timeout = '30s'`;
    for (const migration of migrations.filter(({ version }) => version > found)) await apply(sql, migration);
  });
}

interface SchemaVersion {
  found: number;
  newest: number;
  /** Why this program cannot use it. */
  problem?: string;
}

async function versionOf(sql: Sql, migrations: readonly Migration[]): Promise<SchemaVersion> {
  const newest = migrations.at(-1)?.version ?? 0;
  const [row] = await sql<{ found: number; worksFrom: number }[]>`
    SELECT coalesce(max(version), 0) AS found, coalesce(max(works_from), 0) AS "worksFrom" FROM schema_versions`;
  const { found, worksFrom } = row!;
  if (worksFrom <= newest) return { found, newest, problem: tooOld('The database', found, migrations) };
  const problem = `The database belongs to a newer version of Trawl (schema ${found}, which programs from schema ${worksFrom} on can use; this program knows ${newest}). Update Trawl, or set TRAWL_DATABASE_URL to another database.`;
  return { found, newest, problem };
}

/** Changes nothing. Undefined if the database is empty. */
export async function readVersion({ sql }: Pick<PostgresDatabase, 'sql'>): Promise<SchemaVersion | undefined> {
  const [table] = await sql<{ exists: boolean }[]>`SELECT to_regclass('schema_versions') IS NOT NULL AS exists`;
  return table!.exists ? versionOf(sql, readMigrations()) : undefined;
}

async function apply(sql: Sql, { version, worksFrom, sql: text }: Migration): Promise<void> {
  try {
    await sql.unsafe(text);
    await sql`INSERT INTO schema_versions (version, works_from) VALUES (${version}, ${worksFrom})`;
  } catch (cause) {
    throw new StoreError(
      `The database could not be migrated to schema ${version} (${(cause as Error).message}). Give its user the right to create tables, or report this as a bug.`,
      { cause },
    );
  }
}

export function readMigrations(folder: URL = MIGRATIONS): Migration[] {
  return readMigrationFiles(folder).map(({ version, sql }) => ({
    ...{ version, sql },
    worksFrom: Number(WORKS_FROM.exec(sql)?.[1] ?? version),
  }));
}
