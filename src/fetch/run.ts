// Tries the planned attempts inside one time budget until one brings a page that can stand.
import { ServiceError } from '../contracts/errors.ts';
import type { FetchedPage, PageOutcome } from '../contracts/page.ts';
import type { FetchRequest } from './engine.ts';
import type { Attempt } from './plan.ts';

export interface FetchResult {
  page: FetchedPage;
  outcome: PageOutcome;
}

type Interpret = (page: FetchedPage, signal: AbortSignal) => Promise<PageOutcome>;

// The site turned this visitor away; another face may be let in.
const TURNED_AWAY = new Set([401, 403, 407, 429, 503]);

export async function runAttempts(
  attempts: Attempt[],
  request: Omit<FetchRequest, 'proxyClass'>,
  interpret: Interpret,
  signal: AbortSignal,
): Promise<FetchResult> {
  let last: FetchResult | undefined;
  let failure: unknown;
  for (const { engine, proxyClass } of attempts) {
    try {
      const page = await engine.fetch({ ...request, proxyClass }, signal);
      last = { page, outcome: await interpret(page, signal) };
      if (!TURNED_AWAY.has(page.status) && last.outcome.verdict.kind !== 'challenge') return last;
    } catch (error) {
      signal.throwIfAborted();
      if (!anotherWayMayHelp(error)) throw error;
      failure = error;
    }
  }
  if (last) return last;
  throw failure;
}

const anotherWayMayHelp = (error: unknown): boolean =>
  error instanceof ServiceError && ['SCRAPE_SITE_ERROR', 'SCRAPE_PROXY_SELECTION_ERROR'].includes(error.code);
