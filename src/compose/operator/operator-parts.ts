// What the operator's routes read: the browsers, the metrics of the last hour, and the data folder.
import type { Config } from '../../config/settings.ts';
import type { BrowserEngine } from '../../fetch/browser/browser-engine.ts';
import type { BrowserProcessesDeps } from '../../operations/operator/browser-processes.ts';
import type { HealthDeps } from '../../operations/operator/health.ts';
import type { RunningTests } from '../../operations/operator/providers.ts';
import type { FolderSizes } from '../../store/data-folder/folder-sizes.ts';
import type { BacklogReader } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';

interface Deps {
  browsers: readonly BrowserEngine[];
  metricsHistory: HealthDeps['metricsHistory'];
  backlog: BacklogReader;
  processId: string;
  clock: Clock;
}

type OperatorParts = Pick<BrowserProcessesDeps, 'browserEngines' | 'maxBrowserPages' | 'ownProcess'> &
  HealthDeps & { runningTests: RunningTests };

/** Measuring looks at many files, and their sizes change slowly. */
const MEASURED_FOR_MS = 15_000;

export function operatorParts(
  config: Config,
  { browsers, metricsHistory, backlog, processId, clock }: Deps,
): OperatorParts {
  const { dataDir, minFreeBytes, cacheMaxBytes } = config;
  const measure = cached(clock, async () =>
    (await import('../../store/data-folder/folder-sizes.ts')).measureFolder(dataDir),
  );
  return {
    browserEngines: [...new Set(browsers)],
    maxBrowserPages: config.browserPages,
    metricsHistory,
    ownProcess: { id: processId, name: config.processName },
    runningTests: new Map(),
    disk: { folder: dataDir, measure, minFreeBytes, cacheMaxBytes, backlog },
  };
}

function cached(clock: Clock, measure: () => Promise<FolderSizes>): () => Promise<FolderSizes> {
  let last: { at: number; sizes: Promise<FolderSizes> } | undefined;
  return () => {
    const now = clock.now();
    if (last && now - last.at < MEASURED_FOR_MS && now >= last.at) return last.sizes;
    const sizes = measure();
    last = { at: now, sizes };
    sizes.catch(() => {
      last = undefined;
    });
    return sizes;
  };
}
