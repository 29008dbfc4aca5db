// One process per data folder. The operating system holds the lock, through SQLite, and releases it when the process
// ends. So dead owners, reused process ids and simultaneous starts need no guessing.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivateFile } from '../../runtime/private-files.ts';
import { diskFaultOf, isUnwritable } from '../../runtime/sqlite/disk-fault.ts';
import { DataFolderError } from './data-folder.ts';

export interface FolderLock {
  release(): void;
}

const SQLITE_BUSY = 5;
const OWNER_FILE = 'lock.pid';

/** Keep a reference to the result: the garbage collector would release an unreferenced lock. */
export function lockDataFolder(folder: string): FolderLock {
  const lockFile = join(folder, 'lock');
  // A second file, because closing any handle of the locked file would release the lock.
  const ownerFile = join(folder, OWNER_FILE);
  makePrivateFile(lockFile);
  const holder = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    holder.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    holder.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new DataFolderError(
      `The data folder ${folder} is in use by ${readOwner(ownerFile)}. Stop it, or set TRAWL_DATA_DIR to another folder.`,
      { cause: error },
    );
  }
  noteOwner(ownerFile);
  return {
    release() {
      // A service may be closed twice, and somebody else may have the folder by then.
      if (!holder.isOpen) return;
      rmSync(ownerFile, { force: true });
      holder.close();
    },
  };
}

/** Whether a process holds the lock. Changes nothing. */
export function isFolderInUse(folder: string): boolean {
  const lockFile = join(folder, 'lock');
  if (!existsSync(lockFile)) return false;
  const visitor = new DatabaseSync(lockFile, { readOnly: true, timeout: 0 });
  try {
    visitor.prepare('SELECT 1 FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return true;
    throw error;
  } finally {
    visitor.close();
  }
}

/** The process that holds the lock, as it has noted itself. */
export function lockOwner(folder: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, OWNER_FILE), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

/** For error texts and for clients that look for a running service, so a full disk does not matter. */
function noteOwner(ownerFile: string): void {
  try {
    writeFileSync(ownerFile, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    if (!isUnwritable(diskFaultOf(error))) throw error;
  }
}

/** For the error text only: the owner may not have written its id yet. */
function readOwner(ownerFile: string): string {
  try {
    return `process ${readFileSync(ownerFile, 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
}
