// A data folder whose rows and large contents are moved elsewhere. It is locked and read, and never changed.
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { DataFolderError } from '../../data-folder/data-folder.ts';
import { readSecret } from '../../data-folder/data-secret.ts';
import { lockDataFolder } from '../../data-folder/folder-lock.ts';
import { tooOld } from '../../data-folder/migration-files.ts';
import { readMigrations } from '../../sqlite/database/open-database.ts';
import { readBlobNames } from '../../sqlite/objects/blob-names.ts';
import type { CellValue, TablePlan, TableRow } from './table-plan.ts';

export interface FolderSource {
  secret: Uint8Array;
  /** Says which installation this is, without telling the secret. */
  origin: string;
  /** How many large contents are in an object store already. */
  objects: number;
  count(table: TablePlan): number;
  /** Rows after that key, as the folder has them. */
  read(table: TablePlan, after: readonly CellValue[] | undefined, limit: number): TableRow[];
  /** The key of a row. */
  keyOf(table: TablePlan, row: TableRow): CellValue[];
  /** The last number that a table has given out. */
  lastNumber(table: TablePlan): number;
  /** Undefined if it is not in the folder: it is lost, or in an object store. */
  blob(name: string): { path: string; size: number } | undefined;
  close(): void;
}

export function openFolder(folder: string): FolderSource {
  const file = join(folder, 'store.db');
  if (!existsSync(file))
    throw new DataFolderError(
      `There is no data folder in ${folder}. Name the folder that TRAWL_DATA_DIR named so far.`,
    );
  const lock = lockDataFolder(folder);
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      checkSchema(database, folder);
      return createSource(database, folder, lock);
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

function checkSchema(database: DatabaseSync, folder: string): void {
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  const migrations = readMigrations();
  const known = migrations.at(-1)!.version;
  if (found === known) return;
  const problem = tooOld(`The data folder ${folder}`, found, migrations);
  if (problem !== undefined) throw new DataFolderError(problem);
  throw new DataFolderError(
    found < known
      ? `The data folder ${folder} was made by an older version of Trawl (schema ${found}, this program needs ${known}). Start this version once on it, with TRAWL_DATA_DIR and without TRAWL_DATABASE_URL, and stop it again.`
      : `The data folder ${folder} belongs to a newer version of Trawl (schema ${found}, this program knows ${known}). Update Trawl.`,
  );
}

function createSource(database: DatabaseSync, folder: string, lock: { release(): void }): FolderSource {
  const secret = readSecret(folder);
  const first = <T>(text: string, ...values: SQLInputValue[]) => database.prepare(text).get(...values) as T | undefined;
  return {
    secret,
    origin: createHash('sha256').update('the folder that was moved').update(secret).digest('hex'),
    objects: readBlobNames(database).moved,
    count: ({ name }) => first<{ count: number }>(`SELECT count(*) AS count FROM ${name}`)!.count,
    read({ name, key, hasBody }, after, limit) {
      const keys = key.map((column) => `${name}.${column}`).join(', ');
      const from = hasBody ? `${name} LEFT JOIN bodies ON bodies.id = ${name}.body_id` : name;
      const columns = hasBody ? `${name}.*, bodies.blob AS blob, bodies.bytes AS bytes` : '*';
      const later = after === undefined ? '' : `WHERE (${keys}) > (${key.map(() => '?').join(', ')})`;
      const statement = database.prepare(`SELECT ${columns} FROM ${from} ${later} ORDER BY ${keys} LIMIT ?`);
      const rows = statement.all(...((after ?? []) as SQLInputValue[]), limit) as TableRow[];
      return hasBody ? rows.map(({ body_id: _, ...row }) => row) : rows;
    },
    keyOf: ({ key }, row) => key.map((column) => row[column] ?? null),
    lastNumber: ({ name, key }) =>
      Math.max(
        first<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', name)?.seq ?? 0,
        first<{ last: number | null }>(`SELECT max(${key[0]}) AS last FROM ${name}`)?.last ?? 0,
      ),
    blob(name) {
      const path = join(folder, 'blobs', name.slice(0, 2), name);
      const found = statSync(path, { throwIfNoEntry: false });
      return found && { path, size: found.size };
    },
    close() {
      database.close();
      lock.release();
    },
  };
}
