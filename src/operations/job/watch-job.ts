// Follows a job: a snapshot first, then each document as it is completed, and its status when it is paused or resumed. The
// iteration ends with the job.
import { STATUS_PAGE_MAX_BYTES } from '../../contracts/crawl/job.ts';
import type { Changes } from '../../jobs/job-changes.ts';
import type { JobView, ResultPage } from '../../store/ports/jobs/job-store.ts';
import { raceAbort } from '../../util/abort.ts';
import { JsonText } from '../../util/json/json-text.ts';
import type { Caller } from '../caller.ts';
import {
  asRunning,
  canReportEnd,
  FIRST_PAGE,
  findJob,
  type JobCall,
  type ReadJobDeps,
  statusHead,
} from './job-status.ts';

export interface WatchDeps extends ReadJobDeps {
  changes: Pick<Changes, 'next'>;
}

export interface WatchCall {
  caller: Caller;
  /** The path in the route table. */
  path: string;
  id: string;
  baseUrl: string;
}

const BATCH = '/v2/batch/scrape';

export const watchJob = (deps: WatchDeps, { caller, path, id, baseUrl }: WatchCall): AsyncIterable<JsonText> =>
  messagesOf(deps, caller, { id, baseUrl, kind: path.startsWith(BATCH) ? 'batch_scrape' : 'crawl' });

async function* messagesOf(deps: WatchDeps, caller: Caller, call: JobCall): AsyncGenerator<JsonText> {
  const { jobs, changes } = deps;
  let change = changes.next(call.id);
  let job = await findJob(deps, caller, call);
  const first = await jobs.results(job.id, { ...FIRST_PAGE, maxBytes: STATUS_PAGE_MAX_BYTES });
  // Clients take the snapshot of an ended job for the whole result, so an end is only told together with every document.
  const isAll = job.completed <= first.count && (await canReportEnd(deps, job, caller.signal));
  yield catchUp(isAll ? job : asRunning(job), call, first);

  let sent = first.count;
  while (true) {
    const { count, json } = await jobs.results(job.id, { skip: sent, limit: 1, maxBytes: 0 });
    if (count > 0) {
      sent += count;
      yield new JsonText('{"type":"document","data":', json, '}');
      continue;
    }
    // The status was read before the documents, so if it had ended by then, no more will follow.
    if (job.status !== 'scraping') {
      while (!(await canReportEnd(deps, job, caller.signal))) {}
      break;
    }
    await raceAbort(change, caller.signal);
    change = changes.next(call.id);
    const wasPausedAt = job.pausedAt;
    job = await findJob(deps, caller, call);
    if (job.status === 'scraping' && job.pausedAt !== wasPausedAt) yield statusOf(job, call);
  }
}

/** Clients of the public interface take a message of another type for a snapshot if it has a status. */
const statusOf = (job: JobView, call: JobCall): JsonText =>
  new JsonText(JSON.stringify({ type: 'status', data: statusHead(job, call, FIRST_PAGE, 0) }));

const catchUp = (job: JobView, call: JobCall, { count, json }: ResultPage): JsonText =>
  new JsonText(
    '{"type":"catchup","data":',
    JsonText.withList(statusHead(job, call, FIRST_PAGE, count), 'data', json).bytes,
    '}',
  );
