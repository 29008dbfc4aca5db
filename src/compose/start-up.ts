// What a service does at its start: it opens the store, says where it listens, and prepares what takes a while.
import type { Config } from '../config/settings.ts';
import { removeServiceFile, writeServiceFile } from '../store/fs/service-file.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import type { Log } from '../util/log.ts';
import type { TeamScope } from '../util/team-scope.ts';
import { confinementProblems } from './confinement.ts';
import { installModels } from './install-models.ts';

/** Commands of the same user find the service by this file. An embedded one only removes what a killed service has left. */
export function announce({ dataDir, auth, publicUrl }: Config, url: string, isEmbedded: boolean): void {
  if (isEmbedded) removeServiceFile(dataDir);
  else writeServiceFile(dataDir, { url, publicUrl, pid: process.pid, needsKey: auth === 'required' });
}

interface Parts {
  models: { check(signal: AbortSignal): Promise<unknown> };
  isEmbedded: boolean;
  log: Log;
  signal: AbortSignal;
}

/** Not awaited: this starts programs and waits for servers, and nothing else depends on the answers. */
export function prepareInBackground(config: Config, { models, isEmbedded, log, signal }: Parts): Promise<unknown>[] {
  if (isEmbedded) return [];
  confinementProblems(config).then((problems) => {
    for (const problem of problems) log.warn(problem);
  });
  return [installModels(config, log, signal), models.check(signal)];
}

interface StoreParts {
  scope: Pick<TeamScope, 'current'>;
  lifecycle: { isReady: boolean };
  onFatal?: (error: Error) => void;
  log: Log;
}

export const openStore = (config: Config, { scope, lifecycle, onFatal, log }: StoreParts): Promise<Store> =>
  openSqliteStore({
    dataDir: config.dataDir,
    currentTeam: scope.current,
    cacheMaxBytes: config.cacheMaxBytes,
    minFreeBytes: config.minFreeBytes,
    onCrash: (error) => {
      lifecycle.isReady = false;
      log.error({ err: error }, 'the store thread has died');
      onFatal?.(error);
    },
    onWritable: (problem) => {
      if (problem === undefined) log.warn('the store can be written again');
      else log.error({ reason: problem }, 'the store cannot be written');
    },
  });
