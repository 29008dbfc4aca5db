// A job as it goes on: first what there is, then each document as it comes, at last how it ended.

import { STATUS_PAGE_MAX_BYTES } from '../../contracts/job.ts';
import type { Changes } from '../../jobs/job-changes.ts';
import type { JobView, ResultPage } from '../../store/jobs.ts';
import { raceAbort } from '../../util/abort.ts';
import { JsonText } from '../../util/json-text.ts';
import type { Caller } from '../caller.ts';
import { FIRST_PAGE, findJob, type JobCall, type JobStatusDeps, statusHead } from './job-status.ts';

export interface WatchDeps extends JobStatusDeps {
  changes: Changes;
}

export async function* watchJob(deps: WatchDeps, caller: Caller, call: JobCall): AsyncGenerator<JsonText> {
  const { jobs, changes } = deps;
  let change = changes.next(call.id);
  let job = await findJob(deps, caller, call.id);
  const first = await jobs.results(job.id, { ...FIRST_PAGE, maxBytes: STATUS_PAGE_MAX_BYTES });
  // Clients leave when they are told of an end, so nobody is before the last document.
  const isAll = job.completed <= first.count;
  yield snapshot('catchup', isAll ? job : { ...job, status: 'scraping', finishedAt: undefined }, call, first);

  let sent = first.count;
  while (true) {
    const { count, json } = await jobs.results(job.id, { skip: sent, limit: 1, maxBytes: 0 });
    if (count > 0) {
      sent += count;
      yield new JsonText('{"type":"document","data":', json, '}');
      continue;
    }
    // Its state was read before its documents: when it had ended by then, these were all.
    if (job.status !== 'scraping') break;
    await raceAbort(change, caller.signal);
    change = changes.next(call.id);
    job = await findJob(deps, caller, call.id);
  }
  // Clients take `done` for success, so any other end is told as a state.
  yield snapshot(job.status === 'completed' ? 'done' : 'catchup', job, call, { count: 0, json: new Uint8Array() });
}

const snapshot = (type: 'catchup' | 'done', job: JobView, call: JobCall, { count, json }: ResultPage): JsonText =>
  new JsonText(
    `{"type":"${type}","data":`,
    JsonText.withList(statusHead(job, call, FIRST_PAGE, count), 'data', json).bytes,
    '}',
  );
