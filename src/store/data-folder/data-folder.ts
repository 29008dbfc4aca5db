// Prepares the data folder, and says what to do when it cannot be used.
import { accessSync, constants } from 'node:fs';
import { makePrivateFolder } from '../../runtime/private-files.ts';

/** The data folder or something in it cannot be used, so the service cannot start. The text is for people. */
export class DataFolderError extends Error {}

export function prepareDataFolder(folder: string): void {
  try {
    makePrivateFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new DataFolderError(
      `The data folder ${folder} cannot be created or written (${code}). Set TRAWL_DATA_DIR to a folder that this user can write.`,
      { cause },
    );
  }
}
