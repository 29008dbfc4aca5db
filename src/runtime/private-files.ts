// Files and folders that only their owner may read.
import { closeSync, mkdirSync, openSync } from 'node:fs';

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
}

/**
 * Creates the file unless it exists. SQLite copies the mode of a database file to its side files, so create it first.
 * An existing file is not opened: closing it would drop the locks this process holds on it through SQLite.
 */
export function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
