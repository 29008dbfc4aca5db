// Follows a job that the playground has started, as long as somebody looks: its status, its progress, its first documents.
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import type { Run, RunJob, RunSignal } from './run.ts';

/** More documents than these are on the page of the job. */
const MAX_DOCUMENTS = 50;
const PAUSE_MS = 1_000;
const MAX_FAILURES = 5;
/** The service is busy or restarts; the job goes on. */
const PASSING = new Set([0, 429, 502, 503, 504]);

type Answer = Readonly<Record<string, unknown>>;
type Ending = Pick<Run, 'state' | 'error'>;

interface JobCalls {
  read: (id: string, before: Answer | undefined, signal: AbortSignal) => Promise<Answer>;
  /** Absent: a job of this kind cannot be cancelled. */
  cancel?: (id: string) => Promise<unknown>;
}

export const JOB_CALLS: Readonly<Record<RunJob['kind'], JobCalls>> = {
  crawl: { read: readCrawl, cancel: (id) => call('cancelCrawl', { params: { id } }) },
  agent: {
    read: (id, _, signal) => call('agentStatus', { params: { id }, signal }),
    cancel: (id) => call('cancelAgent', { params: { id } }),
  },
  extract: { read: (id, _, signal) => call('extractStatus', { params: { id }, signal }) },
};

/** Documents are asked for once: each answer adds to those that are here. */
async function readCrawl(id: string, before: Answer | undefined, signal: AbortSignal): Promise<Answer> {
  const known = (before?.data ?? []) as readonly unknown[];
  const wanted = MAX_DOCUMENTS - known.length;
  const query = wanted > 0 ? { skip: known.length, limit: wanted } : { skip: 0, limit: 1 };
  const answer = await call('crawlStatus', { params: { id }, query, signal });
  return { ...answer, data: wanted > 0 ? [...known, ...answer.data] : known };
}

/** Writes what it learns into the run, until the job has ended or the signal aborts. */
export async function followJob(run: RunSignal, job: RunJob, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const before = run.value.answer as Answer | undefined;
      const answer = await JOB_CALLS[job.kind].read(job.id, before, signal);
      failures = 0;
      const ending = endingOf(answer);
      run.value = { ...run.value, answer, job: described(job, answer), ...ending };
      if (ending) return;
    } catch (error) {
      if (signal.aborted) return;
      const isPassing = error instanceof ApiError && PASSING.has(error.status);
      if (!isPassing || ++failures > MAX_FAILURES) throw error;
    }
    await pause(PAUSE_MS * (1 + failures), signal);
  }
}

function described(job: RunJob, answer: Answer): RunJob {
  const { status, completed, total, creditsUsed } = answer as Partial<RunJob>;
  return { ...job, status, completed, total, creditsUsed };
}

function endingOf(answer: Answer): Ending | undefined {
  const { status, stopReason, error } = answer as { status?: string; stopReason?: string; error?: string };
  if (status === 'completed') return { state: 'done' };
  if (status === 'cancelled' || stopReason === 'cancelled') return { state: 'cancelled' };
  if (status !== 'failed') return undefined;
  const message = error ?? 'The job failed. Its page says more.';
  return { state: 'failed', error: new ApiError(message, { code: 'JOB_FAILED', status: 200, body: answer }) };
}

/** Whether the playground is open; nothing is asked while it is not. */
let isWatched = false;
export function watchJobs(): () => void {
  isWatched = true;
  return () => {
    isWatched = false;
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, ms));
  while (!signal.aborted && (document.hidden || !isWatched));
}
