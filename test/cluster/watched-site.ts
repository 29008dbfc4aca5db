// Many hosts behind one port that count what a crawler does to them: requests in flight, time between two, visits of a page.
// Each page has a word of its own, links to others of its host, and a body that is large now and then.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type DnsServer, startDns } from '../support/dns.ts';

export interface HostRules {
  pages: number;
  /** Seconds between two requests, as its robots.txt asks for. */
  crawlDelay?: number;
  /** Refuses each of so many requests with 429 and asks for a pause. */
  refuseEach?: number;
}

export interface WatchedSite {
  settings: Record<string, string>;
  url(host: string, page?: number): string;
  /** A word that only this page has. */
  wordOf(host: string, page: number): string;
  visits(host: string, page: number): number;
  /** Number of answers of all pages together. */
  answered(): number;
  /** Sentences about rules that were broken. */
  problems(): string[];
  /** How many requests were in flight at most, by host. */
  mostAtOnce(): Record<string, number>;
  stop(): Promise<void>;
}

interface Host extends HostRules {
  inFlight: number;
  most: number;
  lastStart: number;
  pausedUntil: number;
  requests: number;
  visits: Map<number, number>;
}

const LINKS = 6;
/** Every such page has a body that is stored as a blob of its own. */
const LARGE_EACH = 50;
const LARGE_WORDS = 60_000;
const PAUSE_SECONDS = 2;
/** Slow enough for kills to happen during a crawl. */
const MIN_ANSWER_MS = 150;
/** A request that was sent before the pause began may arrive this much later, and timers are not exact. */
const SLACK_MS = 250;
/** The highest limit of a host on the operator's list, whatever its number of crawlers. */
const MOST_AT_ONCE = 16;

export async function startWatchedSite(rules: Record<string, HostRules>): Promise<WatchedSite> {
  const problems: string[] = [];
  const startedAt = performance.now();
  const complain = (text: string) =>
    problems.push(`${text} (${((performance.now() - startedAt) / 1000).toFixed(1)} s after the start)`);
  const hosts = new Map<string, Host>(
    Object.entries(rules).map(([name, rule]) => [
      name,
      { ...rule, inFlight: 0, most: 0, lastStart: 0, pausedUntil: 0, requests: 0, visits: new Map() },
    ]),
  );

  const watch = (name: string, host: Host, response: ServerResponse): void => {
    const now = performance.now();
    host.inFlight += 1;
    host.most = Math.max(host.most, host.inFlight);
    response.once('close', () => {
      host.inFlight -= 1;
    });
    const most = host.crawlDelay ? 1 : MOST_AT_ONCE;
    if (host.inFlight > most) complain(`${name}: ${host.inFlight} requests at once, ${most} allowed`);
    const apart = now - host.lastStart;
    if (host.crawlDelay && host.lastStart > 0 && apart < host.crawlDelay * 1000 - SLACK_MS)
      complain(`${name}: requests ${Math.round(apart)} ms apart instead of ${host.crawlDelay} s`);
    if (now < host.pausedUntil - SLACK_MS) complain(`${name}: a request during the pause that it asked for`);
    host.lastStart = now;
  };

  const answer = async (name: string, host: Host, path: string, response: ServerResponse): Promise<void> => {
    if (path === '/robots.txt') {
      response.end(`User-agent: *\n${host.crawlDelay ? `Crawl-delay: ${host.crawlDelay}\n` : ''}`);
      return;
    }
    const page = path === '/' ? 0 : Number(/^\/page\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
    if (!(page < host.pages)) return void response.writeHead(404).end('No such page.');
    watch(name, host, response);
    host.requests += 1;
    await wait(MIN_ANSWER_MS + (page % 20) * 25);
    if (host.refuseEach && host.requests % host.refuseEach === 0) {
      host.pausedUntil = performance.now() + PAUSE_SECONDS * 1000;
      return void response.writeHead(429, { 'retry-after': String(PAUSE_SECONDS) }).end('Slower, please.');
    }
    host.visits.set(page, (host.visits.get(page) ?? 0) + 1);
    response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(name, page, host.pages));
  };

  const server = createServer((request, response) => {
    const name = (request.headers.host ?? '').split(':')[0]!;
    const host = hosts.get(name);
    response.on('error', () => {});
    if (!host) return void response.writeHead(404).end('No such host.');
    void answer(name, host, (request.url ?? '/').split('?')[0]!, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const dns: DnsServer = await startDns({ '*.test': ['127.0.0.1'] });

  return {
    settings: { TRAWL_DNS: dns.address, TRAWL_ALLOW_NETWORKS: '127.0.0.0/8' },
    url: (host, page = 0) => `http://${host}:${port}${page === 0 ? '/' : `/page/${page}`}`,
    wordOf,
    visits: (host, page) => hosts.get(host)?.visits.get(page) ?? 0,
    answered: () => [...hosts.values()].reduce((sum, { requests }) => sum + requests, 0),
    problems: () => problems,
    mostAtOnce: () => Object.fromEntries([...hosts].map(([name, { most }]) => [name, most])),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await dns.stop();
    },
  };
}

/** Letters only: a word with digits may be split. */
function wordOf(host: string, page: number): string {
  const letters = [...`${host.split('.')[0]}x${page}`].map((sign) =>
    /\d/.test(sign) ? 'bcdfghjklm'[Number(sign)] : sign,
  );
  return `qz${letters.join('')}zq`;
}

/** Page n links to the pages below it in a tree, and to some that others link to, too. */
function pageOf(host: string, page: number, pages: number): string {
  const children = Array.from({ length: LINKS }, (_, index) => page * LINKS + index + 1);
  const others = [(page * 7 + 3) % pages, (page * 13 + 5) % pages];
  const links = [...children, ...others].filter((other) => other < pages && other > 0);
  const filler = page % LARGE_EACH === 7 ? largeText(page) : 'Ships come and go with the tide.';
  return `<!doctype html><html lang="en"><head><title>Page ${page} of ${host}</title></head><body><main>
<h1>Page ${page}</h1><p>The word of this page is ${wordOf(host, page)}, and no other page has it.</p><p>${filler}</p>
<ul>${links.map((other) => `<li><a href="/page/${other}">Page ${other}</a></li>`).join('')}</ul></main></body></html>`;
}

/** Words that do not compress well. */
function largeText(seed: number): string {
  let state = seed + 1;
  return Array.from({ length: LARGE_WORDS }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state.toString(36);
  }).join(' ');
}
