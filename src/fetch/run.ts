// Tries the planned attempts inside one time budget until one brings a page that can stand.
import { ServiceError } from '../contracts/errors.ts';
import type { FetchedPage, PageOutcome } from '../contracts/page.ts';
import type { FetchRequest } from './engine.ts';
import type { Attempt, Setback } from './plan.ts';

export interface FetchResult {
  page: FetchedPage;
  outcome: PageOutcome;
  /** What the attempts before this one came to, in order. */
  after: Setback[];
}

type Interpret = (page: FetchedPage, signal: AbortSignal) => Promise<PageOutcome>;

// The site turned this visitor away; another face may be let in.
const TURNED_AWAY = new Set([401, 407, 429, 503]);

export async function runAttempts(
  attempts: Attempt[],
  request: Omit<FetchRequest, 'proxyClass'>,
  interpret: Interpret,
  signal: AbortSignal,
): Promise<FetchResult> {
  const endings: Setback[] = [];
  let last: FetchResult | undefined;
  let failure: unknown;
  for (const { engine, proxyClass, helpsAfter } of attempts) {
    if (helpsAfter && !helpsAfter.includes(endings.at(-1)!)) continue;
    try {
      const page = await engine.fetch({ ...request, proxyClass }, signal);
      last = { page, outcome: await interpret(page, signal), after: [...endings] };
      const ending = endingOf(last);
      if (ending === undefined) return last;
      endings.push(ending);
    } catch (error) {
      signal.throwIfAborted();
      // What was found before is worth more than nothing.
      if (!last && !anotherWayMayHelp(error)) throw error;
      failure = error;
      endings.push('failed');
    }
  }
  if (last) return last;
  throw failure;
}

function endingOf({ page, outcome }: FetchResult): Setback | undefined {
  if (outcome.verdict.kind === 'challenge') return 'challenge';
  if (outcome.verdict.kind === 'empty-shell') return 'shell';
  // What a browser has shown is all there is.
  if (outcome.verdict.isThin && page.engine === 'http') return 'shell';
  if (page.status === 403) return 'forbidden';
  return TURNED_AWAY.has(page.status) ? 'turned-away' : undefined;
}

const anotherWayMayHelp = (error: unknown): boolean =>
  error instanceof ServiceError && ['SCRAPE_SITE_ERROR', 'SCRAPE_PROXY_SELECTION_ERROR'].includes(error.code);
