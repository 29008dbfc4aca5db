// Tries the planned attempts, within one time budget, until one gets an acceptable page.
import { ServiceError } from '../contracts/errors.ts';
import type { FetchedPage, PageOutcome } from '../contracts/page.ts';
import type { FetchRequest } from './engine.ts';
import type { Attempt, Setback } from './plan.ts';

export interface FetchResult {
  page: FetchedPage;
  outcome: PageOutcome;
  /** How the attempts before this one ended, in order. */
  after: Setback[];
}

type Interpret = (page: FetchedPage, signal: AbortSignal) => Promise<PageOutcome>;

// The site refused this client; another IP address may be let in.
const TURNED_AWAY = new Set([401, 407, 429, 503]);

export async function runAttempts(
  attempts: Attempt[],
  request: Omit<FetchRequest, 'proxyClass'>,
  interpret: Interpret,
  signal: AbortSignal,
): Promise<FetchResult> {
  const setbacks: Setback[] = [];
  let last: FetchResult | undefined;
  let failure: unknown;
  for (const { engine, proxyClass, helpsAfter } of attempts) {
    if (helpsAfter && !helpsAfter.includes(setbacks.at(-1)!)) continue;
    try {
      const page = await engine.fetch({ ...request, proxyClass }, signal);
      last = { page, outcome: await interpret(page, signal), after: [...setbacks] };
      const setback = setbackOf(last);
      if (setback === undefined) return last;
      setbacks.push(setback);
    } catch (error) {
      signal.throwIfAborted();
      // A page that an earlier attempt got is better than an error.
      if (!last && !anotherWayMayHelp(error)) throw error;
      failure = error;
      setbacks.push('failed');
    }
  }
  if (last) return last;
  throw failure;
}

function setbackOf({ page, outcome }: FetchResult): Setback | undefined {
  if (outcome.verdict.kind === 'challenge') return 'challenge';
  if (outcome.verdict.kind === 'empty-shell') return 'shell';
  // A thin page from a browser is final: there is no better way to get it.
  if (outcome.verdict.isThin && page.engine === 'http') return 'shell';
  if (page.status === 403) return 'forbidden';
  return TURNED_AWAY.has(page.status) ? 'turned-away' : undefined;
}

const anotherWayMayHelp = (error: unknown): boolean =>
  error instanceof ServiceError && ['SCRAPE_SITE_ERROR', 'SCRAPE_PROXY_SELECTION_ERROR'].includes(error.code);
