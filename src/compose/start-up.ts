// What a service that stays does when it listens: it says where it is, and prepares what takes a while.
import type { Config } from '../config/settings.ts';
import { removeServiceFile, writeServiceFile } from '../store/fs/service-file.ts';
import type { Log } from '../util/log.ts';
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
