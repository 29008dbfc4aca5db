// One process a data folder. The lock is the operating system's, held through SQLite: it ends with its process however
// that ends, so a dead owner, a reused process id or two starts at once need no guessing.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivateFile } from '../../util/private-files.ts';

export interface FolderLock {
  release(): void;
}

const SQLITE_BUSY = 5;

/** The caller must keep what it gets: a lock that nothing refers to any more is released by the garbage collector. */
export function lockDataFolder(folder: string): FolderLock {
  const lockFile = join(folder, 'lock');
  // In a second file, because closing any handle of the locked one would release the lock.
  const ownerFile = join(folder, 'lock.pid');
  makePrivateFile(lockFile);
  const holder = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    holder.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    holder.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new Error(`The data folder ${folder} is in use by ${readOwner(ownerFile)}.`, { cause: error });
  }
  writeFileSync(ownerFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    release() {
      rmSync(ownerFile, { force: true });
      holder.close();
    },
  };
}

/** For people only: the owner may not have written its number yet. */
function readOwner(ownerFile: string): string {
  try {
    return `process ${readFileSync(ownerFile, 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
}
