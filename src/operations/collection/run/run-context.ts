// What the parts of a run of a collection share: the run, its steps, what it reads, and who pays.
import type { Changes } from '../../../jobs/job-changes.ts';
import type { Worker } from '../../../jobs/worker.ts';
import type { FeaturesOf } from '../../../policy/features.ts';
import type { MemberStore, SavingRun } from '../../../store/ports/collections/member-store.ts';
import type { JobStore } from '../../../store/ports/jobs/job-store.ts';
import type { RunView } from '../../../store/ports/runs/run-store.ts';
import type { Caller } from '../../caller.ts';
import type { StartCrawlDeps } from '../../crawl/crawl.ts';
import type { ChildJobContext } from '../../monitor/check/child-job.ts';
import type { CollectionRunRequest } from '../new-run.ts';

type JobReads = { jobs: Pick<JobStore, 'view' | 'results' | 'problems' | 'cancel'> };

export type CollectionHandlerDeps = StartCrawlDeps &
  JobReads & {
    collections: MemberStore;
    worker: Pick<Worker, 'drop'>;
    changes: Pick<Changes, 'next'>;
    featuresOf: FeaturesOf;
    /** Who pays for the run. */
    callerOf(run: RunView): Promise<Omit<Caller, 'signal'>>;
  };

export interface RunContext extends ChildJobContext {
  deps: CollectionHandlerDeps;
  request: CollectionRunRequest;
}

/** As the store knows the run. `target`: for which of its targets. */
export const savingRun = ({ deps, run, request }: RunContext, target: TargetOptions): SavingRun => ({
  collectionId: request.collectionId,
  runId: run.id,
  targetId: target.id,
  options: { ...target.scrapeOptions, ...(request.keyDomains && { keyDomains: request.keyDomains }) },
  now: deps.clock.now(),
});

export interface TargetOptions {
  id: string;
  scrapeOptions: object;
}
