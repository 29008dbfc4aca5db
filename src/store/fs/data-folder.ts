// The data folder and the files in it: only their owner may read them, and a folder that cannot be used is named.
import { accessSync, constants } from 'node:fs';
import { makePrivateFolder } from '../../util/private-files.ts';

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
