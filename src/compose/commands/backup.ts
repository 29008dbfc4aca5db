// Backups of the data folder, for the command line. They can be made while the service runs.
import type { Config } from '../../config/settings.ts';
import { StoreError } from '../../store/ports/store-error.ts';
import { makeBackup } from '../../store/tools/backup/backup.ts';
import { restoreBackup } from '../../store/tools/backup/restore.ts';
import { systemClock } from '../../util/clock.ts';

type Say = (words: string) => void;

export function openBackup(config: Config, onProgress: Say) {
  refuseShared(config);
  const { dataDir } = config;
  const now = systemClock.now();
  return { backup: (target: string, copy: boolean) => makeBackup({ dataDir, target, copy, onProgress, now }) };
}

export function openRestore(config: Config, onProgress: Say) {
  refuseShared(config);
  const { dataDir } = config;
  return { dataDir, restore: (source: string) => restoreBackup({ source, dataDir, onProgress }) };
}

/** The data folder then has nothing that is worth a backup, and a restored one would not be used. */
function refuseShared({ databaseUrl }: Config): void {
  if (databaseUrl === undefined) return;
  throw new StoreError(
    'Everything is stored in the database of TRAWL_DATABASE_URL, not in the data folder. Back up and restore it with pg_dump and pg_restore, and the bucket with it: docs/operate/distributed.md.',
  );
}
