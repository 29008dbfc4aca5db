// Moves an embedded data folder into the engines that the settings name, for the command line.
import type { Config } from '../../config/settings.ts';
import { type MoveSummary, moveFolder } from '../../store/tools/migrate/move-folder.ts';
import { SettingError } from '../../util/setting-error.ts';
import { objectsOf } from '../start-up.ts';

export function moveIntoEngines(
  { databaseUrl, secret, blobs }: Config,
  from: string,
  onProgress: (words: string) => void,
): Promise<MoveSummary> {
  if (databaseUrl === undefined || secret === undefined)
    throw new SettingError(
      'There is no database to move the folder into. Set TRAWL_DATABASE_URL and TRAWL_SECRET as for the new installation.',
    );
  return moveFolder({
    ...{ from, url: databaseUrl, secret, onProgress },
    openObjects: blobs && objectsOf(blobs, secret),
  });
}
