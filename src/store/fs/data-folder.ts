// Prepares the data folder, and says what to do when it cannot be used.
import { accessSync, constants } from 'node:fs';
import { makePrivateFolder } from '../../util/private-files.ts';

/** Creates the folder if needed. The error text is one sentence for people. */
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
