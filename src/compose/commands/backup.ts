// Backups of the data folder, for the command line. They can be made while the service runs.
import type { Config } from '../../config/settings.ts';
import { makeBackup } from '../../store/backup/backup.ts';
import { restoreBackup } from '../../store/backup/restore.ts';
import { systemClock } from '../../util/clock.ts';

type Say = (words: string) => void;

export const openBackup = ({ dataDir }: Config, onProgress: Say) => ({
  backup: (target: string, copy: boolean) => makeBackup({ dataDir, target, copy, onProgress, now: systemClock.now() }),
});

export const openRestore = ({ dataDir }: Config, onProgress: Say) => ({
  dataDir,
  restore: (source: string) => restoreBackup({ source, dataDir, onProgress }),
});
