// Scrape one page: refuse early, wait for a place, read the page, keep what may be kept, answer.
import { ServiceError } from '../contracts/errors.ts';
import type { ScrapeRequest } from '../contracts/scrape.ts';
import type { ScrapeStore } from '../store/scrapes.ts';
import { deadline, raceAbort } from '../util/abort.ts';
import type { Clock } from '../util/clock.ts';
import { isUuid } from '../util/ids.ts';
import { JsonText } from '../util/json-text.ts';
import { checkCapabilities } from './check-capabilities.ts';
import type { Concurrency, Place } from './concurrency.ts';
import type { Caller } from './context.ts';
import { failureCredits } from './credits.ts';
import { writeDocument } from './document.ts';
import { leavesTraces, type Reading, type ReadPageDeps, readPage } from './read-page.ts';
import { scrapedPage } from './scraped-page.ts';
import { targetUrl } from './target-url.ts';

const RESULT_RETENTION_MS = 24 * 3_600_000;

export interface ScrapeDeps extends ReadPageDeps {
  scrapes: ScrapeStore;
  concurrency: Concurrency;
  features: readonly string[];
}

export async function scrape(deps: ScrapeDeps, caller: Caller, request: ScrapeRequest): Promise<JsonText> {
  const warnings = checkCapabilities(request, deps);
  const url = targetUrl(request.url, deps.egress);
  const budget = deadline(request.timeout, () => new ServiceError('SCRAPE_TIMEOUT'), caller.signal);
  const asked = { url, options: request, deadline: deps.clock.now() + request.timeout };
  let place: Place | undefined;
  try {
    place = await deps.concurrency.enter(caller.team.id, request.timeout, budget.signal);
    const reading = await raceAbort(readPage(deps, asked, budget.signal), budget.signal);
    return await answer(deps, caller, request, reading, warnings, place.queuedMs);
  } catch (error) {
    const credits = failureCredits(error);
    if (credits > 0) await deps.scrapes.add({ teamId: caller.team.id, credits, now: deps.clock.now() });
    throw error;
  } finally {
    place?.leave();
    budget.done();
  }
}

async function answer(
  deps: ScrapeDeps,
  { team }: Caller,
  request: ScrapeRequest,
  reading: Reading,
  warnings: string[],
  queuedMs: number,
): Promise<JsonText> {
  const now = deps.clock.now();
  const { id, credits, metadata, warning } = scrapedPage(reading, {
    requestedUrl: request.url,
    options: request,
    warnings,
    queuedMs,
    now,
  });
  await deps.scrapes.add(
    { teamId: team.id, credits, now, succeeded: true },
    leavesTraces(request)
      ? {
          id,
          teamId: team.id,
          url: request.url,
          options: request,
          metadata,
          warning,
          keep: reading.keep,
          createdAt: now,
          expiresAt: now + RESULT_RETENTION_MS,
        }
      : undefined,
  );
  return response(reading.outcome.content, metadata, warning);
}

/** Reads back what an earlier scrape of the same team answered. */
export async function readScrape(
  { scrapes, clock }: { scrapes: ScrapeStore; clock: Clock },
  { team }: Caller,
  id: string,
): Promise<JsonText> {
  if (!isUuid(id)) throw new ServiceError('INVALID_JOB_ID');
  const stored = await scrapes.find(id, team.id, clock.now());
  if (!stored) throw new ServiceError('JOB_NOT_FOUND');
  return response(stored.outcome.content, stored.metadata, stored.warning);
}

function response(content: Uint8Array, metadata: object, warning: string | undefined): JsonText {
  const rest = warning === undefined ? '' : `,"warning":${JSON.stringify(warning)}`;
  return new JsonText('{"success":true,"data":', writeDocument(content, metadata, warning), `${rest}}`);
}
