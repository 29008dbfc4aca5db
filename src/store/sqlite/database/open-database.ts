// Opens the database and migrates its schema: numbered .sql files, forward only, one transaction each.
import { DatabaseSync } from 'node:sqlite';
import { makePrivateFile } from '../../../runtime/private-files.ts';
import { DataFolderError } from '../../data-folder/data-folder.ts';
import { type MigrationFile, readMigrationFiles, tooOld } from '../../data-folder/migration-files.ts';

const BUSY_TIMEOUT_MS = 5_000;
const MIGRATIONS = new URL('../migrations/', import.meta.url);

export function openDatabase(file: string, migrations: MigrationFile[] = readMigrations()): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    makePrivateFile(file);
    database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
    // NORMAL: a power cut may lose the last commits but never the file; a killed process loses nothing. Large
    // checkpoints, because a crawl rewrites the same database pages many times. Deleted bytes are overwritten.
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864; PRAGMA wal_autocheckpoint = 4000; PRAGMA secure_delete = ON; SELECT 1 FROM sqlite_schema',
    );
  } catch (cause) {
    database?.close();
    throw new DataFolderError(
      `The database ${file} cannot be opened (${(cause as Error).message}). Run \`trawl doctor\`. Then restore a backup (\`trawl restore\`), or move the data folder away to start with an empty one.`,
      { cause },
    );
  }
  try {
    migrate(database, file, migrations);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export const readMigrations = (folder: URL = MIGRATIONS): MigrationFile[] => readMigrationFiles(folder);

function migrate(database: DatabaseSync, file: string, migrations: MigrationFile[]): void {
  const newest = migrations.at(-1)?.version ?? 0;
  const found = versionOf(database);
  if (found > newest) {
    throw new DataFolderError(
      `The database ${file} belongs to a newer version of Trawl (schema ${found}, this program knows ${newest}). Update Trawl, or set TRAWL_DATA_DIR to another folder.`,
    );
  }
  const problem = tooOld(`The database ${file}`, found, migrations);
  if (problem !== undefined) throw new DataFolderError(problem);
  for (const migration of migrations) {
    if (migration.version > versionOf(database)) apply(database, file, migration);
  }
}

function apply(database: DatabaseSync, file: string, { version, sql }: MigrationFile): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    // Checked again under the lock, since another process may have migrated in the meantime.
    if (version > versionOf(database)) database.exec(`${sql};\nPRAGMA user_version = ${version}`);
    database.exec('COMMIT');
  } catch (cause) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw new DataFolderError(
      `The database ${file} could not be migrated to schema ${version} (${(cause as Error).message}). Restore a copy of it, or report this as a bug.`,
      {
        cause,
      },
    );
  }
}

const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.user_version);
