// Follows a job by its status pages: every document is handed on once and in order, and only one page of them is in memory.

import type { JobStatusHead } from '../../contracts/crawl/job.ts';
import type { Document } from '../../contracts/scrape/document.ts';
import { type PatientTools, patientCall } from './patient-call.ts';

export interface JobPage extends JobStatusHead {
  data: Document[];
}

export interface FollowedJob {
  /** Reads a status page that begins after `skip` documents. */
  read(skip: number): Promise<JobPage>;
  /** Called again for the same page if the service goes away meanwhile. */
  onDocument(page: Document): Promise<void>;
  onState(state: JobStatusHead): void;
}

/** How often a job is asked for more. */
const POLL_MS = 500;
const ENDED = new Set<JobStatusHead['status']>(['completed', 'failed', 'cancelled']);

/** Returns the state with which the job ended. Throws ApiError, or the reason of the signal. */
export async function followJob(job: FollowedJob, tools: PatientTools & { skip?: number }): Promise<JobStatusHead> {
  for (let skip = tools.skip ?? 0; ; ) {
    const { data, ...state } = await patientCall(() => job.read(skip), tools);
    for (const page of data) {
      tools.signal.throwIfAborted();
      await patientCall(() => job.onDocument(page), tools);
      skip += 1;
    }
    job.onState(state);
    const hasMore = data.length > 0 && state.completed > skip;
    if (hasMore) continue;
    if (ENDED.has(state.status)) return state;
    await tools.clock.sleep(POLL_MS, tools.signal);
  }
}
