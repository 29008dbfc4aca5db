// Scrapes one page: refuse early, wait for a slot, read the page, store what may be stored, answer.

import { ERROR_TABLE, type ErrorCode, ServiceError } from '../contracts/errors/errors.ts';
import type { DocumentMetadata } from '../contracts/scrape/document.ts';
import type { Explanation } from '../contracts/scrape/explanation.ts';
import type { ScrapeRequest } from '../contracts/scrape/scrape.ts';
import { timeLimit } from '../contracts/scrape/scrape-options.ts';
import { kindOfLoad } from '../fetch/plan.ts';
import type { Indexer } from '../jobs/indexer.ts';
import { CallerHeaders } from '../net/http/caller-headers.ts';
import type { Recorder } from '../net/recorder.ts';
import type { Discovered } from '../page/page.ts';
import { pageCost } from '../policy/budgets/known-costs.ts';
import { checkPage } from '../policy/keys/key-reach.ts';
import type { ThreatCheck } from '../policy/threats/threat-check.ts';
import type { GateSlot } from '../runtime/gate/gate.ts';
import type { JobStore, PageWithoutResult } from '../store/ports/jobs/job-store.ts';
import type { ScrapeStore, StoredScrape } from '../store/ports/pages/scrape-store.ts';
import { raceAbort, startDeadline } from '../util/abort.ts';
import type { Clock } from '../util/clock.ts';
import { isUuid, uuidv7 } from '../util/ids.ts';
import { JsonText } from '../util/json/json-text.ts';
import type { Call } from './call.ts';
import type { Caller } from './caller.ts';
import { type AccountingDeps, type Billing, charged, type PartOf } from './charged.ts';
import { keepArchive, recorderFor, titleOf } from './page/archive/keep-archive.ts';
import { cacheOnly } from './page/cache/page-cache.ts';
import { checkCapabilities } from './page/checks/check-capabilities.ts';
import { checkSchemas } from './page/checks/check-schemas.ts';
import { type DocumentRest, documentFacts, pageCharges, wholeContent, writeDocument } from './page/document.ts';
import { explainFailure, explainPage } from './page/explain/explain.ts';
import { openTrace, type PageTrace, timed } from './page/explain/page-trace.ts';
import type { MissingFormat } from './page/missing-formats.ts';
import type { Page } from './page/page.ts';
import { mayStore, type PageOptions, type PageRequest } from './page/page-request.ts';
import { type ReadPageDeps, readPage } from './page/read-page.ts';
import { targetUrl } from './page/target-url.ts';
import type { Concurrency } from './team/concurrency/concurrency.ts';
import { type Cost, totalOf } from './team/credits.ts';
import { openThreatCheck, type ThreatCheckDeps } from './threats/open-threat-check.ts';
import { startedWith, storedLimits } from './threats/stored-limits.ts';

const RESULT_RETENTION_MS = 24 * 3_600_000;
const NOT_FINISHED = 'The scrape has not finished yet. Ask again in a few seconds.';
const RETRY_AFTER_SECONDS = 2;
const STORE_FAULTS = new Set<ErrorCode>(['STORAGE_UNAVAILABLE', 'STORAGE_DAMAGED']);
const NOT_KEPT =
  'The page could not be stored, because the disk of the server is full or damaged. It is neither cached nor found by searches, and the scrape cannot be read again by its ID.';

const NOT_ARCHIVED =
  'What was received could not be archived, because the disk of the server is full or damaged. Try again later.';

export interface ScrapeDeps extends ReadPageDeps, ThreatCheckDeps, Omit<AccountingDeps, 'clock'> {
  scrapes: Pick<ScrapeStore, 'add'>;
  concurrency: Pick<Concurrency, 'enter'>;
  indexer: Pick<Indexer, 'wake'>;
}

/** A scraped page as its caller sees it. The content is the JSON text of the requested formats. */
export interface ScrapedDocument {
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

export async function scrape(deps: ScrapeDeps, { caller, body, baseUrl }: Call<'scrape'>): Promise<JsonText> {
  const { content, ...rest } = await scrapePage(deps, caller, body, baseUrl);
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
): Promise<ScrapedDocument> {
  const trace = request.explain ? openTrace(deps.clock.now()) : undefined;
  const { options, missing, warnings } = checkCapabilities(request, deps);
  const url = targetUrl(request.url, deps.egress);
  await checkSchemas(deps, caller, options);
  const threatCheck = partOf?.threatCheck ?? (await openThreatCheck(deps, caller, options));
  // A larger request that checks URLs is paid for it itself.
  const paidCheck = partOf?.threatCheck ? undefined : threatCheck;
  const explain = trace && failureExplainer(deps, trace, threatCheck);
  const terms = { operation: 'scrape', cost: pageCost(options), partOf, threatCheck: paidCheck, explain } as const;
  return charged(deps, caller, terms, (billing) => {
    const recorder = recorderFor(deps, options);
    const page = {
      url,
      recorder,
      teamId: caller.team.id,
      isStranger: caller.isKeyless,
      options,
      threatCheck,
      baseUrl,
      trace,
    };
    const asked = { ...page, headers: CallerHeaders.for(url, options.headers) };
    return readAndStore(
      deps,
      caller,
      { request, recorder, kind: kindOfScrape(deps, page), missing, warnings, threatCheck: paidCheck, billing, trace },
      (deadline, signal) => readPage(deps, { ...asked, deadline }, signal),
    );
  });
}

const kindOfScrape = ({ renderedHosts }: ScrapeDeps, { url, options }: Pick<PageRequest, 'url' | 'options'>): string =>
  cacheOnly(options) ? 'cache' : kindOfLoad(options, url, renderedHosts.has(url.host));

/** For the terms of a request that is to be explained. */
export const failureExplainer =
  ({ clock }: Pick<ScrapeDeps, 'clock'>, trace: PageTrace, threatCheck: ThreatCheck | undefined) =>
  (error: unknown, cost: Cost): unknown =>
    explainFailure(trace, { now: clock.now(), isJudged: threatCheck !== undefined, cost }, error);

interface PageToRead {
  request: PageOptions & { url: string; timeout: number };
  /** Pages of a kind take about as long. */
  kind: string;
  /** Formats that were missing from the start. */
  missing: MissingFormat[];
  warnings: string[];
  /** Is paid with the page. */
  threatCheck: ThreatCheck | undefined;
  /** What was received is kept. */
  recorder?: Recorder | undefined;
  /** File name of an upload. */
  sourceFile?: string;
  billing: Billing;
  /** Set if the caller wants to know why the answer is as it is. */
  trace: PageTrace | undefined;
}

/** Reads a page or an upload in a slot of the team, while its time lasts, and stores it. */
export async function readAndStore(
  deps: StoreDeps & Pick<ScrapeDeps, 'concurrency'>,
  caller: Caller,
  { kind, ...wanted }: PageToRead,
  read: (deadline: number, signal: AbortSignal) => Promise<Page>,
): Promise<ScrapedDocument> {
  const timeout = timeLimit(wanted.request);
  const ends = deps.clock.now() + timeout;
  const time = startDeadline(timeout, () => new ServiceError('SCRAPE_TIMEOUT'), caller.signal);
  let slot: GateSlot | undefined;
  try {
    slot = await deps.concurrency.enter(caller.team, { deadline: ends, kind }, time.signal);
    const { waitedMs: queuedMs } = slot;
    wanted.trace?.stages.push({ stage: 'queue', ms: Math.round(queuedMs) });
    const page = await raceAbort(read(ends, time.signal), time.signal);
    const scraped = await storeScrape(deps, caller, { ...wanted, page, queuedMs });
    slot.leave();
    return scraped;
  } finally {
    slot?.leave('failed');
    time.done();
  }
}

type StoreDeps = Pick<ScrapeDeps, 'scrapes' | 'archives' | 'ledger' | 'indexer' | 'clock'>;

/** Stores what may be stored, charges the scrape, and returns what the caller gets. */
function storeScrape(
  deps: StoreDeps,
  caller: Caller,
  { request, page, billing, trace, recorder, ...context }: Omit<PageToRead, 'kind'> & { page: Page; queuedMs: number },
): Promise<ScrapedDocument> {
  const now = deps.clock.now();
  const id = uuidv7(now);
  const isStored = mayStore(request);
  const listed = { id, isStored, target: context.sourceFile ?? request.url };
  const charges = pageCharges(page, { ...context, options: request });
  return billing.chargeStored(totalOf(charges), listed, async (billed, credits) => {
    const facts = { requestedUrl: request.url, options: request, scrapeId: id, credits, now };
    const { ownContent, metadata, warning } = documentFacts(page, { ...context, ...facts });
    const { toStore, look, outcome, derived } = page;
    const content = await wholeContent(outcome.content, ownContent);
    const options = caller.isKeyless ? { ...request, madeBy: caller.key } : request;
    const record = { id, teamId: caller.team.id, url: request.url, options, ownContent, metadata, warning };
    const times = { createdAt: now, expiresAt: now + RESULT_RETENTION_MS };
    // If the store is lost while it takes the scrape, nobody knows whether it has taken the charge.
    const charge = { ...billed, once: id };
    const add = () => isAdded(deps.scrapes, charge, { ...record, ...times, toStore, look });
    const isKept = isStored && (await timed(trace, deps.clock, 'store', add));
    const isArchived =
      isKept && recorder && (await unlessStoreFails(archiveScrape(deps, caller, record, recorder, page)));
    if (!isKept) await deps.ledger.add({ ...charge, succeeded: true });
    else if ('page' in toStore) deps.indexer.wake();
    const notes = [
      warning,
      isStored && !isKept ? NOT_KEPT : undefined,
      recorder && !isArchived ? NOT_ARCHIVED : undefined,
    ].filter((note) => note !== undefined);
    const ended = { now: deps.clock.now(), isJudged: context.threatCheck !== undefined, cost: { credits, charges } };
    return {
      content,
      metadata,
      ...(notes.length > 0 && { warning: notes.join(' ') }),
      ...(trace && { explanation: explainPage(trace, ended, request, page) }),
      tokens: derived?.tokens ?? 0,
      discovered: outcome.discovered,
    };
  });
}

const archiveScrape = (
  deps: StoreDeps,
  caller: Caller,
  { id, teamId, url, metadata }: { id: string; teamId: string; url: string; metadata: object },
  recorder: Recorder,
  { header }: Page,
) =>
  keepArchive(deps, { id, teamId, kind: 'scrape', name: url, ...storedLimits(caller) }, id, recorder, {
    header,
    title: titleOf(metadata),
  });

/** False if the store is full or damaged: the page was fetched, so its caller gets it all the same. */
const isAdded = (scrapes: ScrapeDeps['scrapes'], ...added: Parameters<ScrapeStore['add']>): Promise<boolean> =>
  unlessStoreFails(scrapes.add(...added));

async function unlessStoreFails(write: Promise<void>): Promise<boolean> {
  try {
    await write;
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
export async function getScrape(deps: ReadScrapeDeps, { caller, params }: Call<'getScrape'>): Promise<JsonText> {
  const { id } = params;
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
