// Kills the service at random moments: during a crawl, and during runs of agents, extractions and checks of monitors.
import type { SoakOptions } from '../soak-options.ts';
import { killCrawl } from './kill-crawl.ts';
import { killRuns } from './kill-runs.ts';

export const kill = async (options: SoakOptions): Promise<string[]> => [
  ...(await killCrawl(options)),
  ...(await killRuns({ ...options, withModel: false })),
  ...(await killRuns({ ...options, withModel: true })),
];
