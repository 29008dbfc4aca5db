// Opens index.db. A damaged file, or one with another schema version, is replaced by an empty one: the store can refill
// it. One that only has the words of another version can be searched until that has happened.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { makePrivateFile } from '../runtime/private-files.ts';
import { ENCODING, SCHEMA, schemaVersion } from './index-schema.ts';
import { SCHEMA as SEGMENT_SCHEMA } from './segments/segment-schema.ts';

const BUSY_TIMEOUT_MS = 5_000;
// Large pages, because a search reads a few long values. No memory mapping: it brought no measurable speed, and the
// whole file would count towards the memory of the process. Deleted bytes are overwritten. A commit at the end of 8 MB of
// log copies it into the file; more at once would keep searches waiting.
const SETTINGS = `
PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864;
PRAGMA wal_autocheckpoint = 1000; PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY;
PRAGMA secure_delete = ON;
`;
/** SQLite result codes for a damaged file: CORRUPT, NOTADB. */
const DAMAGED = [11, 26];
/** PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN: the contents of the file are not to blame. */
const OUTSIDE = [3, 5, 6, 7, 8, 10, 13, 14];

/** Tries `use` on the existing file. If the contents of the file make it fail, tries again with an empty file. */
export function openIndexFile<T>(file: string, use: (database: DatabaseSync) => T): T {
  let database: DatabaseSync | undefined;
  try {
    database = openFile(file);
    if (versionOf(database) === schemaVersion()) return use(database);
  } catch (error) {
    if (isOutside(error)) {
      database?.close();
      throw error;
    }
  }
  database?.close();
  removeIndexFile(file);
  const empty = openFile(file);
  createTables(empty);
  empty.exec(`PRAGMA application_id = ${ENCODING}; PRAGMA user_version = ${schemaVersion()};`);
  return use(empty);
}

/** Whether the file has another version, but the tables and the encoding of this one: it was made by other rules for words. */
export function hasOlderWords(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    if (versionOf(database) === schemaVersion()) return false;
    using fresh = new DatabaseSync(':memory:');
    createTables(fresh);
    return encodingOf(database) === ENCODING && tablesOf(database) === tablesOf(fresh);
  } catch {
    return false;
  }
}

/** Opens a file for which `hasOlderWords` holds, as it is. */
export const openOlderIndexFile = <T>(file: string, use: (database: DatabaseSync) => T): T => use(openFile(file));

/** The file may not be open. What is in its log comes first, so that an interruption loses nothing. */
export function moveIndexFile(from: string, to: string): void {
  if (existsSync(to)) removeIndexFile(to);
  if (existsSync(`${from}-wal`)) renameSync(`${from}-wal`, `${to}-wal`);
  renameSync(from, to);
  removeIndexFile(from);
}

export function removeIndexFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}

export const isDamage = (error: unknown): boolean => DAMAGED.includes(sqliteCode(error) ?? 0);

function isOutside(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === undefined ? typeof (error as NodeJS.ErrnoException).syscall === 'string' : OUTSIDE.includes(code);
}

/** An extended result code has the primary code in its low byte. */
function sqliteCode(error: unknown): number | undefined {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return code === 'ERR_SQLITE_ERROR' ? (errcode ?? 0) & 0xff : undefined;
}

function openFile(file: string): DatabaseSync {
  makePrivateFile(file);
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec(SETTINGS);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function createTables(database: DatabaseSync): void {
  database.exec(`BEGIN IMMEDIATE; ${SCHEMA} ${SEGMENT_SCHEMA.map((statement) => `${statement};`).join(' ')} COMMIT;`);
}

const tablesOf = (database: DatabaseSync): string =>
  JSON.stringify(database.prepare('SELECT name, sql FROM sqlite_master ORDER BY name').all());

const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.user_version);

/** Files that do not say it have the first encoding that could be kept. */
const encodingOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA application_id').get()?.application_id) || 2;
