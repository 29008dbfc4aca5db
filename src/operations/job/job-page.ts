// Reads one page of a job like a single scrape. Failures become task outcomes, and the host's answer feeds politeness.
import { type ErrorCode, ServiceError } from '../../contracts/errors/errors.ts';
import { timeLimit } from '../../contracts/scrape/scrape-options.ts';
import type { HostAnswer } from '../../crawl/politeness/politeness.ts';
import type { TaskReport, TaskTools } from '../../jobs/task-handler.ts';
import type { CallerHeaders } from '../../net/http/caller-headers.ts';
import { retryAfter } from '../../net/http/retry-after.ts';
import type { Recorder } from '../../net/recorder.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import type { ClaimedTask } from '../../store/ports/jobs/job-queue.ts';
import type { JobView } from '../../store/ports/jobs/job-store.ts';
import { raceAbort, startDeadline } from '../../util/abort.ts';
import { uuidv7 } from '../../util/ids.ts';
import { type KeptPage, keepArchive, recorderFor, titleOf } from '../page/archive/keep-archive.ts';
import type { Capable } from '../page/checks/check-capabilities.ts';
import { type DocumentFacts, documentFacts, pagePrice } from '../page/document.ts';
import type { Page } from '../page/page.ts';
import type { PageOptions, TrackedCrawl } from '../page/page-request.ts';
import { type ReadPageDeps, readPage } from '../page/read-page.ts';
import { givenUrl } from '../page/target-url.ts';
import { failureCredits } from '../team/credits.ts';
import type { StoredLimits } from '../threats/stored-limits.ts';

/** A host that answers 429 or 503 is tried again later; after this many tries its answer stands. */
const MAX_TRIES = 4;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
const BUSY = new Set([429, 503]);
/** Failures of this server, which say nothing about the page. */
const NOT_OF_THE_PAGE = new Set<ErrorCode>(['UNKNOWN_ERROR', 'STORAGE_UNAVAILABLE']);

export interface JobPageRequest {
  /** For its archive, if pages are to be kept. */
  job: Pick<JobView, 'id' | 'kind' | 'url' | 'options'>;
  teamId: string;
  /** As requested. */
  options: PageOptions;
  capable: Capable<PageOptions>;
  threatCheck: ThreatCheck | undefined;
  headers: CallerHeaders;
  /** The base URL of the request that created the job. */
  baseUrl: string;
  agent?: string;
  crawl?: TrackedCrawl;
  /** The ID of the scrape, if it was given out before. */
  scrapeId?: string;
}

interface JobPage {
  page: Page;
  scraped: DocumentFacts;
  credits: number;
  hostAnswer?: HostAnswer;
}

/** Returns the page, or the report that ends or postpones its task. */
export async function readJobPage(
  deps: ReadPageDeps,
  task: ClaimedTask,
  { job, teamId, options, capable, threatCheck, headers, baseUrl, agent, crawl, scrapeId }: JobPageRequest,
  { reservation, signal }: Pick<TaskTools, 'reservation' | 'signal'>,
): Promise<JobPage | TaskReport> {
  const { clock } = deps;
  const began = clock.now();
  const time = startDeadline(timeLimit(options), () => new ServiceError('SCRAPE_TIMEOUT'), signal);
  const ends = began + timeLimit(options);
  const { options: served } = capable;
  const { lastModified } = task;
  const keep = (kept: KeptPage) => recorder && keepPage(deps, { job, teamId, task, recorder }, kept);
  const recorder = recorderFor(deps, served);
  const target = {
    recorder,
    url: givenUrl(task.url),
    teamId,
    options: served,
    threatCheck,
    headers,
    baseUrl,
    agent,
    crawl,
    lastModified,
  };
  const asked = { ...target, deadline: ends, pausable: time, isBusyFinal: true };
  try {
    const page = await raceAbort(readPage(deps, asked, time.signal), time.signal);
    const hostAnswer = hostAnswerOf(page, began);
    if (hostAnswer && BUSY.has(page.header.status) && task.attempt < MAX_TRIES) {
      const pause = hostAnswer.retryAfter ?? FIRST_PAUSE_MS * 2 ** (task.attempt - 1);
      return { outcome: { state: 'retry', at: clock.now() + Math.min(pause, LONGEST_PAUSE_MS) }, hostAnswer };
    }
    const { missing, warnings } = capable;
    const credits = await reservation.settle(pagePrice(page, { options, missing, threatCheck }));
    const facts = { requestedUrl: task.url, options, missing, warnings, threatCheck, queuedMs: 0, scrapeId, credits };
    const scraped = documentFacts(page, { ...facts, now: clock.now() });
    await keep({ header: page.header, title: titleOf(scraped.metadata) });
    return { page, scraped, credits, hostAnswer };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError) || NOT_OF_THE_PAGE.has(error.code)) throw error;
    await keep({});
    return failedPage(error, { now: clock.now(), hostAnswer: { ms: clock.now() - began }, scrapeId, threatCheck });
  } finally {
    time.done();
  }
}

interface Kept extends Pick<JobPageRequest, 'job' | 'teamId'> {
  task: ClaimedTask;
  recorder: Recorder;
}

/** Before the task ends: what is kept of a page that is read again is replaced. */
function keepPage(deps: ReadPageDeps, { job, teamId, task, recorder }: Kept, kept: KeptPage): Promise<void> {
  const { id, kind, url, options } = job;
  const { keyDomains } = options as StoredLimits;
  const archive = { id, teamId, kind: kind === 'crawl' ? kind : 'batch', name: url, keyDomains } as const;
  return keepArchive(deps, archive, task.key, recorder, kept);
}

interface FailedPage {
  now: number;
  hostAnswer?: HostAnswer;
  scrapeId?: string;
  threatCheck: ThreatCheck | undefined;
}

export const failedPage = (
  error: ServiceError,
  { now, hostAnswer, scrapeId = uuidv7(now), threatCheck }: FailedPage,
): TaskReport => ({
  outcome: {
    state: 'failed',
    scrapeId,
    code: error.code,
    message: error.message,
    credits: failureCredits(error, threatCheck),
  },
  ...(hostAnswer && { hostAnswer }),
});

function hostAnswerOf({ header, cacheState }: Page, began: number): HostAnswer | undefined {
  if (cacheState === 'hit') return undefined;
  return {
    ms: header.fetchedAt - began,
    status: header.status,
    retryAfter: retryAfter(header.headers['retry-after'], header.fetchedAt),
  };
}
