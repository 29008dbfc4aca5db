// The data folder and the files in it: only their owner may read them, and a folder that cannot be used is named.
import { accessSync, closeSync, constants, mkdirSync, openSync } from 'node:fs';

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

/** Makes the folder if there is none. Throws one sentence when it cannot be made or written. */
export function prepareDataFolder(folder: string): void {
  try {
    makePrivateFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new Error(
      `The data folder ${folder} cannot be made or written (${code}): set TRAWL_DATA_DIR to a folder that this user may write.`,
      { cause },
    );
  }
}

export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
}

/**
 * SQLite gives its side files the mode of the database file, so making that one first settles all of them. A file that
 * is there already is not even opened: closing it again would drop the locks this process holds on it through SQLite.
 */
export function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
