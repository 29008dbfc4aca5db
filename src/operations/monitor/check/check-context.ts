// What the parts of a check share: the run, its steps, what the monitor asks for, and who pays.
import type { Changes } from '../../../jobs/job-changes.ts';
import type { RunTools } from '../../../jobs/runs/run-handler.ts';
import type { Worker } from '../../../jobs/worker.ts';
import type { FeaturesOf } from '../../../policy/features.ts';
import type { JobStore } from '../../../store/ports/jobs/job-store.ts';
import type { MonitorStore } from '../../../store/ports/runs/monitor-store.ts';
import type { RunView } from '../../../store/ports/runs/run-store.ts';
import type { Caller } from '../../caller.ts';
import type { StartCrawlDeps } from '../../crawl/crawl.ts';
import type { WebToolsDeps } from '../../gather/create-web-tools.ts';
import type { MailDeps } from '../mail/subscriptions.ts';
import type { CheckRequest } from '../new-check.ts';

export type CheckHandlerDeps = WebToolsDeps &
  StartCrawlDeps & {
    monitors: Pick<MonitorStore, 'find' | 'savePages' | 'countPages' | 'knownPages' | 'knownVersion'>;
    jobs: Pick<JobStore, 'view' | 'results' | 'problems' | 'cancel'>;
    worker: Pick<Worker, 'drop'>;
    changes: Pick<Changes, 'next'>;
    mail: MailDeps;
    featuresOf: FeaturesOf;
    /** Who pays for the check. */
    callerOf(run: RunView): Promise<Omit<Caller, 'signal'>>;
  };

export interface CheckContext {
  deps: CheckHandlerDeps;
  run: RunView;
  tools: RunTools;
  request: CheckRequest;
  caller: Omit<Caller, 'signal'>;
  /** The jobs that the check has started, and whether a step has counted what they cost. */
  jobs: Map<string, 'running' | 'counted'>;
}

/** Changes are judged by rules if no language model can do it. */
export interface Degraded {
  /** Why, as a sentence; the first of them. */
  degraded?: string;
}
