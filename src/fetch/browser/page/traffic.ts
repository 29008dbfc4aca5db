// Tracks the open requests of a page, to tell when it has loaded. Long polls and streams never end and do not count.
import type { Page, Request } from 'playwright-core';
import type { Clock } from '../../../util/clock.ts';

export interface Traffic {
  /** Resolves when the network has been quiet for `ms`, or at `until`. */
  quietFor(ms: number, until: number, signal: AbortSignal): Promise<void>;
  /** When the last request ended that may change the page: documents, scripts, XHR and fetch. */
  readonly lastEssentialAt: number;
}

const MAX_OPEN = 2;
const LONG_MS = 4_000;
const POLL_MS = 50;
const ENDLESS = new Set(['websocket', 'eventsource', 'media', 'ping', 'beacon']);
const ESSENTIAL = new Set(['document', 'script', 'xhr', 'fetch']);

export function watchTraffic(page: Page, clock: Clock): Traffic {
  const open = new Map<Request, { since: number; isEssential: boolean }>();
  let busyAt = clock.now();
  let lastEssentialAt = busyAt;

  page.on('request', (request) => {
    const type = request.resourceType();
    if (ENDLESS.has(type)) return;
    open.set(request, { since: clock.now(), isEssential: ESSENTIAL.has(type) });
    if (open.size > MAX_OPEN) busyAt = clock.now();
  });
  const onEnd = (request: Request) => {
    if (open.size > MAX_OPEN) busyAt = clock.now();
    if (open.get(request)?.isEssential) lastEssentialAt = clock.now();
    open.delete(request);
  };
  page.on('requestfinished', onEnd);
  page.on('requestfailed', onEnd);

  const isQuiet = (ms: number): boolean => {
    const now = clock.now();
    const recent = [...open.values()].filter(({ since }) => now - since < LONG_MS);
    if (recent.length > MAX_OPEN) busyAt = now;
    return now - busyAt >= ms && !recent.some(({ isEssential }) => isEssential);
  };

  return {
    async quietFor(ms, until, signal) {
      while (!isQuiet(ms) && clock.now() < until) await clock.sleep(POLL_MS, signal);
    },
    get lastEssentialAt() {
      return lastEssentialAt;
    },
  };
}
