// What callers can change about a job: its pause, its limit, and what becomes of its failed pages.
import type { JobStore } from '../../../ports/jobs/job-store.ts';
import { createChangeLimit } from './change-limit.ts';
import type { JobControlDeps } from './control-deps.ts';
import { createPauses, type Pauses } from './pauses.ts';
import { createRetryPages } from './retry-pages.ts';

export type JobControl = Pauses & Pick<JobStore, 'setLimit' | 'retry'>;

export const createJobControl = (deps: JobControlDeps): JobControl => ({
  ...createPauses(deps),
  setLimit: createChangeLimit(deps),
  retry: createRetryPages(deps),
});
