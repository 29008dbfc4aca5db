// Sites that record how they are crawled: `/stats` tells how many requests ran at once, and when each began and ended.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { textOf } from './crawl-text.ts';
import { type Exchange, type Handler, page, reply, type Site, send } from './reply.ts';

export interface RecordedRequest {
  path: string;
  status: number;
  /** Milliseconds. */
  from: number;
  to: number;
}

export interface Stats {
  mostAtOnce: number;
  /** Requests in order. */
  requests: RecordedRequest[];
}

/** Answers a request, knowing those before it. */
type RecordedHandler = (exchange: Exchange, stats: Stats) => void | Promise<void>;

/** A front page that links to `/1` ... `/PAGES`, which `answer` serves. */
function recorded(pages: number, answer: RecordedHandler, robots?: string): Site {
  const recordings = new WeakMap<Exchange['origin'], Stats & { atOnce: number }>();
  /** Each small web has records of its own: several test files run in one process. */
  const recordingOf = ({ origin }: Exchange) => {
    const known = recordings.get(origin) ?? { mostAtOnce: 0, requests: [], atOnce: 0 };
    recordings.set(origin, known);
    return known;
  };
  const record: Handler = async (exchange) => {
    const stats = recordingOf(exchange);
    stats.atOnce += 1;
    stats.mostAtOnce = Math.max(stats.mostAtOnce, stats.atOnce);
    const request = { path: exchange.path, status: 0, from: performance.now(), to: 0 };
    stats.requests.push(request);
    try {
      await answer(exchange, stats);
    } finally {
      stats.atOnce -= 1;
      request.status = exchange.response.statusCode;
      request.to = performance.now();
    }
  };
  const numbered = Array.from({ length: pages }, (_, index) => `/${index + 1}`);
  return {
    '/': reply(page('Front page', numbered.map((path) => `<a href="${path}">${path}</a>`).join(' '))),
    ...Object.fromEntries(numbered.map((path) => [path, record])),
    '/stats': (exchange) => send(exchange, JSON.stringify(recordingOf(exchange)), { type: 'application/json' }),
    ...(robots !== undefined && { '/robots.txt': reply(robots, { type: 'text/plain' }) }),
  };
}

const text: Handler = (exchange) =>
  send(exchange, page(`${exchange.host}${exchange.path}`, textOf(exchange.host + exchange.path)));

/** Slow enough for requests to overlap where they may. */
const slowText: Handler = async (exchange) => {
  await setTimeout(40, undefined, { signal: exchange.signal });
  await text(exchange);
};

const HOLD_MS = 400;

/**
 * A front page and pages that hold their answers back until three requests have come at once. On a busy machine, quick
 * answers would hardly ever overlap, and its delays would look like a site that slows down.
 */
function held(pages: number): Site {
  const site = recorded(pages, async (exchange, stats) => {
    const began = performance.now();
    while (stats.mostAtOnce < 3 && performance.now() - began < HOLD_MS) {
      await setTimeout(10, undefined, { signal: exchange.signal });
    }
    await text(exchange);
  });
  return {
    ...site,
    '/': async (exchange) => {
      await setTimeout(HOLD_MS, undefined, { signal: exchange.signal });
      await site['/']!(exchange);
    },
  };
}

/** One of three pages first answers 429 with Retry-After, one first answers 503, one works. */
const shy: Handler = (exchange) => {
  const kind = Number(exchange.tail) % 3;
  if (exchange.visit > 1 || kind === 0) return slowText(exchange);
  return send(
    exchange,
    page('Not now'),
    kind === 1 ? { status: 429, headers: { 'retry-after': '1' } } : { status: 503 },
  );
};

export const crawlBusy: Record<string, Site> = {
  'busy.test': held(60),
  'single.test': recorded(6, slowText),
  'paced.test': recorded(3, text),
  'patient.test': recorded(3, text, 'User-agent: *\nCrawl-delay: 1.5\n'),
  'shy.test': recorded(6, shy),
};

export async function readStats(web: { port: number }, host: string): Promise<Stats> {
  const asking = get({ host: '127.0.0.1', port: web.port, path: '/stats', headers: { host }, agent: false });
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return (await json(response)) as Stats;
}
