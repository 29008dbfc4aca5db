// Makes the call of an operation, follows the job that it may start, and ends both on request.
import { ApiError } from '../../api/api-error.ts';
import { callWithHeaders } from '../../api/call.ts';
import { toast } from '../../ui/states/toasts.tsx';
import { OPERATION_INFO } from '../operations/operations.ts';
import { followJob, JOB_CALLS } from './follow-job.ts';
import type { Operation, Run, RunJob, RunSignal } from './run.ts';

interface Request {
  operation: Operation;
  body: Readonly<Record<string, unknown>>;
  file?: File;
}

const TICK_MS = 250;
const JOB_KINDS: Partial<Record<Operation, RunJob['kind']>> = { crawl: 'crawl', extract: 'extract', agent: 'agent' };

const controllers = new WeakMap<RunSignal, AbortController>();

export async function startRun(run: RunSignal, { operation, body, file }: Request): Promise<void> {
  controllers.get(run)?.abort();
  const controller = new AbortController();
  controllers.set(run, controller);
  const { signal } = controller;
  const startedAt = Date.now();
  run.value = {
    ...{ operation, request: body, state: 'running', startedAt, ms: 0 },
    ...(file && { fileName: file.name }),
  };
  const ticker = setInterval(() => update(run, signal, { ms: Date.now() - startedAt }), TICK_MS);
  try {
    const { data, headers } = await callWithHeaders(OPERATION_INFO[operation].call, {
      body: body as never,
      ...(file && { file }),
      signal,
    });
    const kind = JOB_KINDS[operation];
    const known = { headers: Object.fromEntries(headers) };
    if (!kind) update(run, signal, { ...known, answer: data, state: 'done' });
    else {
      const job: RunJob = { kind, id: (data as { id: string }).id };
      update(run, signal, { ...known, job });
      await followJob(run, job, signal);
    }
  } catch (error) {
    update(run, signal, { state: 'failed', error: asApiError(error) });
  } finally {
    clearInterval(ticker);
    update(run, signal, { ms: Date.now() - startedAt });
  }
}

/** A request is aborted, a job is cancelled on the server. */
export async function cancelRun(run: RunSignal): Promise<void> {
  const { job } = run.value;
  const stop = () => {
    controllers.get(run)?.abort();
    run.value = { ...run.value, state: 'cancelled' };
  };
  if (!job) return stop();
  const { cancel } = JOB_CALLS[job.kind];
  if (!cancel) {
    toast('This page no longer follows the extraction. It goes on, and its own page shows the result.');
    return stop();
  }
  try {
    await cancel(job.id);
  } catch (error) {
    // It may have ended in the meantime, which the next look at its status shows.
    if (!(error instanceof ApiError && error.status === 409)) toast(asApiError(error).message, 'bad');
  }
}

/** What arrives after the run was replaced or stopped is dropped. */
function update(run: RunSignal, signal: AbortSignal, change: Partial<Run>): void {
  if (!signal.aborted) run.value = { ...run.value, ...change };
}

const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError
    ? error
    : new ApiError(`The console could not make the call: ${error}`, { code: 'CONSOLE', status: 0 });
