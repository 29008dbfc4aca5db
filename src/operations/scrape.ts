// Scrapes one page: refuse early, wait for a slot, read the page, store what may be stored, answer.
import type { DocumentMetadata } from '../contracts/document.ts';
import { ERROR_TABLE, type ErrorCode, ServiceError } from '../contracts/errors.ts';
import type { Explanation } from '../contracts/explanation.ts';
import type { Discovered } from '../contracts/page.ts';
import type { ScrapeRequest } from '../contracts/scrape.ts';
import { kindOfLoad } from '../fetch/plan.ts';
import type { Indexer } from '../jobs/indexer.ts';
import { CallerHeaders } from '../net/http/caller-headers.ts';
import type { Budgets, Hold } from '../policy/budgets/budgets.ts';
import { pageCost } from '../policy/budgets/known-costs.ts';
import { checkPage } from '../policy/keys/key-reach.ts';
import type { ThreatJudge } from '../policy/threats/threat-judge.ts';
import type { JobStore, PageWithoutResult } from '../store/job-store.ts';
import type { Ledger } from '../store/ledger.ts';
import type { ScrapeStore, StoredScrape } from '../store/scrape-store.ts';
import { deadline, raceAbort } from '../util/abort.ts';
import type { Clock } from '../util/clock.ts';
import type { GateSlot } from '../util/gate/gate.ts';
import { isUuid } from '../util/ids.ts';
import { JsonText } from '../util/json-text.ts';
import { accountOf, type Caller } from './caller.ts';
import { type JudgeDeps, openJudge } from './judge/open-judge.ts';
import { startedWith } from './judge/stored-limits.ts';
import { cacheOnly } from './page/cache/page-cache.ts';
import { checkCapabilities } from './page/checks/check-capabilities.ts';
import { checkSchemas } from './page/checks/check-schemas.ts';
import { type DocumentRest, pageCharges, scrapedPage, wholeContent, writeDocument } from './page/document.ts';
import { explainFailure, explainPage } from './page/explain/explain.ts';
import { openTrace, type PageTrace, timed } from './page/explain/page-trace.ts';
import type { MissingFormat } from './page/missing-formats.ts';
import { mayStore, type PageOptions, type PageRequest } from './page/page-request.ts';
import { type ReadPageDeps, readPage } from './page/read-page.ts';
import type { Reading } from './page/reading.ts';
import { targetUrl } from './page/target-url.ts';
import { chargeOfPart, holdFor, type PartOf } from './part-of.ts';
import type { Concurrency } from './team/concurrency/concurrency.ts';
import { failureCharges, totalOf } from './team/credits.ts';

const RESULT_RETENTION_MS = 24 * 3_600_000;
const NOT_FINISHED = 'The scrape has not finished yet. Ask again in a few seconds.';
const RETRY_AFTER_SECONDS = 2;
const STORE_FAULTS = new Set<ErrorCode>(['STORAGE_UNAVAILABLE', 'STORAGE_DAMAGED']);
const NOT_KEPT =
  'The page could not be stored, because the disk of the server is full or damaged. It is neither cached nor found by searches, and the scrape cannot be read again by its ID.';

export interface ScrapeDeps extends ReadPageDeps, JudgeDeps {
  scrapes: Pick<ScrapeStore, 'add'>;
  ledger: Pick<Ledger, 'add'>;
  budgets: Pick<Budgets, 'hold'>;
  concurrency: Pick<Concurrency, 'enter'>;
  indexer: Pick<Indexer, 'wake'>;
}

/** A scraped page as its caller sees it. The content is the JSON text of the requested formats. */
export interface Scraped {
  content: Uint8Array;
  metadata: DocumentMetadata;
  warning?: string;
  /** If the request asked for it. */
  explanation?: Explanation;
  /** Tokens of language models. */
  tokens: number;
  /** The links of the whole page, whatever was requested. */
  discovered: Pick<Discovered, 'links' | 'next'>;
}

export async function scrape(
  deps: ScrapeDeps,
  caller: Caller,
  request: ScrapeRequest,
  baseUrl: string,
): Promise<JsonText> {
  const { content, ...rest } = await scrapePage(deps, caller, request, baseUrl);
  return scrapeAnswer(content, rest);
}

/** Pages that are parts of something larger are not explained. */
type PageToScrape = Omit<ScrapeRequest, 'explain'> & { explain?: boolean };

export async function scrapePage(
  deps: ScrapeDeps,
  caller: Caller,
  request: PageToScrape,
  baseUrl: string,
  partOf?: PartOf,
): Promise<Scraped> {
  const trace = request.explain ? openTrace(deps.clock.now()) : undefined;
  const { options, missing, warnings } = checkCapabilities(request, deps);
  const url = targetUrl(request.url, deps.egress);
  await checkSchemas(deps, caller, options);
  const judge = partOf?.judge ?? (await openJudge(deps, caller, options));
  const hold = await holdFor(deps.budgets, caller, pageCost(options), partOf);
  const budget = deadline(request.timeout, () => new ServiceError('SCRAPE_TIMEOUT'), caller.signal);
  const teamId = caller.team.id;
  const headers = CallerHeaders.for(url, options.headers);
  const ends = deps.clock.now() + request.timeout;
  const isStranger = caller.isKeyless;
  const asked = { url, teamId, isStranger, options, judge, headers, deadline: ends, baseUrl, trace };
  // A larger request that judges is paid for it itself.
  const paid = partOf?.judge ? undefined : judge;
  let slot: GateSlot | undefined;
  try {
    slot = await deps.concurrency.enter(
      caller.team,
      { deadline: ends, kind: kindOfScrape(deps, asked) },
      budget.signal,
    );
    const reading = await raceAbort(readPage(deps, asked, budget.signal), budget.signal);
    const finished = { request, reading, missing, warnings, judge: paid, queuedMs: slot.waitedMs, hold, trace };
    const scraped = await storeScrape(deps, caller, finished, partOf);
    hold.recorded();
    slot.leave();
    return scraped;
  } catch (error) {
    const charges = failureCharges(error, paid);
    const credits = await hold.settle(totalOf(charges));
    const charge = chargeOfPart(partOf ?? { operation: 'scrape' }, credits);
    if (charge.credits > 0) await deps.ledger.add({ ...accountOf(caller), ...charge, now: deps.clock.now() });
    hold.recorded();
    if (!trace) throw error;
    const ended = { now: deps.clock.now(), queuedMs: slot?.waitedMs, isJudged: judge !== undefined };
    throw explainFailure(trace, { ...ended, cost: { credits, charges } }, error);
  } finally {
    slot?.leave('failed');
    budget.done();
    hold.release();
  }
}

const kindOfScrape = ({ renderedHosts }: ScrapeDeps, { url, options }: PageRequest): string =>
  cacheOnly(options) ? 'cache' : kindOfLoad(options, url, renderedHosts.has(url.host));

interface FinishedScrape {
  request: PageOptions & { url: string };
  reading: Reading;
  /** Formats that were missing from the start. */
  missing: MissingFormat[];
  warnings: string[];
  judge: ThreatJudge | undefined;
  queuedMs: number;
  /** File name of an upload. */
  sourceFile?: string;
  hold: Hold;
  /** Set if the caller wants to know why the answer is as it is. */
  trace?: PageTrace | undefined;
}

/** Stores what may be stored, bills the scrape, and returns what the caller gets. The hold is settled, and still open. */
export async function storeScrape(
  deps: Pick<ScrapeDeps, 'scrapes' | 'ledger' | 'indexer' | 'clock'>,
  caller: Caller,
  { request, reading, hold, trace, ...context }: FinishedScrape,
  partOf?: PartOf,
): Promise<Scraped> {
  const now = deps.clock.now();
  const charges = pageCharges(reading, { ...context, options: request });
  const credits = await hold.settle(totalOf(charges));
  const { id, ownContent, metadata, warning } = scrapedPage(reading, {
    requestedUrl: request.url,
    options: request,
    ...context,
    credits,
    now,
  });
  const isStored = mayStore(request);
  const target = context.sourceFile ?? request.url;
  const charge = {
    ...accountOf(caller),
    ...(partOf
      ? chargeOfPart(partOf, credits)
      : {
          operation: context.sourceFile === undefined ? ('scrape' as const) : ('parse' as const),
          ...(isStored && { job: id }),
          request: { id, isRatable: isStored, ...(isStored && { target }) },
          credits,
        }),
    // If the store is lost while it takes the scrape, nobody knows whether it has taken the charge.
    once: id,
    now,
  };
  const content = await wholeContent(reading.outcome.content, ownContent);
  const explained = () => {
    const { queuedMs, judge } = context;
    const ended = { now: deps.clock.now(), queuedMs, isJudged: judge !== undefined, cost: { credits, charges } };
    return trace && { explanation: explainPage(trace, ended, request, reading) };
  };
  const more = { tokens: reading.derived?.tokens ?? 0, discovered: reading.outcome.discovered };
  if (!isStored) {
    await deps.ledger.add({ ...charge, succeeded: true });
    return { content, metadata, warning, ...explained(), ...more };
  }
  const { toStore, look } = reading;
  const options = caller.isKeyless ? { ...request, madeBy: caller.key } : request;
  const record = { id, teamId: caller.team.id, url: request.url, options, ownContent, metadata, warning };
  const times = { createdAt: now, expiresAt: now + RESULT_RETENTION_MS };
  const add = () => isAdded(deps.scrapes, charge, { ...record, ...times, toStore, look });
  if (!(await timed(trace, deps.clock, 'store', add))) {
    await deps.ledger.add({ ...charge, succeeded: true });
    const noted = warning === undefined ? NOT_KEPT : `${warning} ${NOT_KEPT}`;
    return { content, metadata, warning: noted, ...explained(), ...more };
  }
  if ('page' in toStore) deps.indexer.wake();
  return { content, metadata, warning, ...explained(), ...more };
}

/** False if the store is full or damaged: the page was fetched, so its caller gets it all the same. */
async function isAdded(scrapes: ScrapeDeps['scrapes'], ...added: Parameters<ScrapeStore['add']>): Promise<boolean> {
  try {
    await scrapes.add(...added);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && STORE_FAULTS.has(error.code)) return false;
    throw error;
  }
}

export interface ReadScrapeDeps {
  scrapes: Pick<ScrapeStore, 'find'>;
  jobs: Pick<JobStore, 'pageWithoutResult'>;
  clock: Pick<Clock, 'now'>;
}

/** Returns the stored answer of an earlier scrape by the same team. */
export async function readScrape(deps: ReadScrapeDeps, caller: Caller, id: string): Promise<JsonText> {
  if (!isUuid(id)) throw new ServiceError('INVALID_JOB_ID');
  const { scrapes, jobs, clock } = deps;
  const find = () => scrapes.find(id, caller.team.id, clock.now());
  // The scrape of a batch or of an asynchronous search may still run, or finish between the first two look-ups.
  const stored = (await find()) ?? (await jobs.pageWithoutResult(id, caller.team.id, clock.now())) ?? (await find());
  if (!stored) throw new ServiceError('JOB_NOT_FOUND');
  if ('state' in stored) throw whyThereIsNone(stored);
  checkStoredPage(caller, stored);
  const content = await wholeContent(stored.outcome.content, stored.ownContent);
  return scrapeAnswer(content, stored);
}

/** Throws KEY_RESTRICTED if the key of the caller could not have scraped it. */
export function checkStoredPage(caller: Caller, { url, metadata, options }: StoredScrape): void {
  const { url: ledTo, sourceFile } = metadata as Partial<DocumentMetadata>;
  const urls = sourceFile === undefined ? [url, ...(ledTo === undefined ? [] : [ledTo])] : [];
  checkPage(caller, { urls, request: startedWith(options).request });
}

function whyThereIsNone(page: PageWithoutResult): ServiceError {
  if (page.state === 'unfinished') {
    return new ServiceError('JOB_NOT_FOUND', { message: NOT_FINISHED, retryAfter: RETRY_AFTER_SECONDS });
  }
  return new ServiceError(page.code in ERROR_TABLE ? (page.code as ErrorCode) : 'SCRAPE_SITE_ERROR', {
    message: page.message,
  });
}

export function scrapeAnswer(content: Uint8Array, rest: DocumentRest): Promise<JsonText> {
  const end = rest.warning === undefined ? '' : `,"warning":${JSON.stringify(rest.warning)}`;
  return JsonText.joined('{"success":true,"data":', ...writeDocument(content, rest), `${end}}`);
}
