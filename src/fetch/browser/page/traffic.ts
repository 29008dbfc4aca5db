// What a page has under way, to tell when it has all it wants: long polls and streams never end and are not waited for.
import type { Page, Request } from 'playwright-core';
import type { Clock } from '../../../util/clock.ts';

export interface Traffic {
  /** Resolves when the network has been quiet for `ms`, or at `until`. */
  quietFor(ms: number, until: number, signal: AbortSignal): Promise<void>;
  /** When the last request ended whose answer may become part of the page. */
  readonly lastAnswer: number;
}

const MAX_OPEN = 2;
const LONG_MS = 4_000;
const POLL_MS = 50;
const ENDLESS = new Set(['websocket', 'eventsource', 'media', 'ping', 'beacon']);
const ESSENTIAL = new Set(['document', 'script', 'xhr', 'fetch']);

export function watchTraffic(page: Page, clock: Clock): Traffic {
  const open = new Map<Request, { since: number; isEssential: boolean }>();
  let busyAt = clock.now();
  let lastAnswer = busyAt;

  page.on('request', (request) => {
    const type = request.resourceType();
    if (ENDLESS.has(type)) return;
    open.set(request, { since: clock.now(), isEssential: ESSENTIAL.has(type) });
    if (open.size > MAX_OPEN) busyAt = clock.now();
  });
  const ended = (request: Request) => {
    if (open.size > MAX_OPEN) busyAt = clock.now();
    if (open.get(request)?.isEssential) lastAnswer = clock.now();
    open.delete(request);
  };
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);

  const isQuiet = (ms: number): boolean => {
    const now = clock.now();
    const young = [...open.values()].filter(({ since }) => now - since < LONG_MS);
    if (young.length > MAX_OPEN) busyAt = now;
    return now - busyAt >= ms && !young.some(({ isEssential }) => isEssential);
  };

  return {
    async quietFor(ms, until, signal) {
      while (!isQuiet(ms) && clock.now() < until) await clock.sleep(POLL_MS, signal);
    },
    get lastAnswer() {
      return lastAnswer;
    },
  };
}
