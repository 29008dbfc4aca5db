// Every way in which an address from outside can become a request. A new way needs a line in the table at the end.
import { isIP } from 'node:net';
import { ServiceError } from '../../src/contracts/errors/errors.ts';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';
import { createHttpEngine } from '../../src/fetch/http-engine.ts';
import type { Egress } from '../../src/net/egress.ts';
import { CallerHeaders } from '../../src/net/http/caller-headers.ts';
import { followRedirects } from '../../src/net/redirects.ts';
import { OWN_WORK } from '../../src/runtime/gate/gate.ts';
import { readUrl } from '../../src/urls/url.ts';
import { systemClock } from '../../src/util/clock.ts';
import { escapeHtml } from '../support/web/reply.ts';
import { askRobots, askSitemap, callWebhook, notInTheTable, ROUTE_ATTEMPTS } from './job-entrances.ts';
import { readFullText, scrapeSearchResult } from './search-entrance.ts';
import { SITE_ADDRESS, type Stage } from './stage.ts';

export interface Entrance {
  name: string;
  /** Which targets this entrance can express; absent: all. */
  takes?(target: string): boolean;
  /** Each attempt is a request to the whole service, often a job: a hundred times as expensive as the others. */
  asksService?: 'one by one' | 'at once';
  /** Tries to reach `target`. Returns the text that was read; throws the error that the caller would get. */
  attempt(stage: Stage, target: string): Promise<string>;
}

// `http:x` in a Location is a path on the same site, not a way out.
const leadsAway = (target: string) => URL.parse(target, 'http://site.test/')?.host !== 'site.test';

const redirect = (status: number): Entrance => ({
  name: `a ${status} redirect`,
  takes: leadsAway,
  attempt: (stage, target) => get(stage.egress, stage.serve({ status, location: target })),
});

/** The IP address that is a target's host, for entrances that return addresses rather than URLs. */
function addressOf(target: string): string | undefined {
  const host = URL.parse(target)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return isIP(host) ? host : undefined;
}

const withAddress = (target: string) => addressOf(target) !== undefined;

/** A redirect is a failure there: it would let the receiver choose where the payload goes. */
const FOLLOWS_NO_REDIRECT: ReadonlySet<string> = new Set(['/v2/webhooks/test']);

export const ENTRANCES: readonly Entrance[] = [
  { name: 'the URL itself', attempt: (stage, target) => get(stage.egress, target) },
  ...[301, 302, 303, 307, 308].map(redirect),
  {
    name: 'a redirect after a redirect',
    takes: leadsAway,
    attempt: (stage, target) => {
      const second = stage.serve({ status: 302, location: target });
      return get(stage.egress, stage.serve({ status: 301, location: second }));
    },
  },
  { name: 'the URL itself, through the upstream proxy', attempt: (stage, target) => get(stage.proxied, target) },
  {
    name: 'a redirect, through the upstream proxy',
    // The proxy itself fails on a NUL.
    takes: (target) => leadsAway(target) && !target.includes('\0'),
    attempt: (stage, target) => get(stage.proxied, stage.serve({ status: 302, location: target })),
  },
  { name: 'the URL itself, as Chrome', attempt: (stage, target) => asChrome(stage.egress, target) },
  {
    name: 'a redirect, as Chrome',
    takes: leadsAway,
    attempt: (stage, target) => asChrome(stage.egress, stage.serve({ status: 302, location: target })),
  },
  {
    name: 'the URL itself, as Chrome through the upstream proxy',
    attempt: (stage, target) => asChrome(stage.proxied, target),
  },
  {
    name: 'a meta refresh',
    takes: (target) => leadsAway(target) && URL.canParse(target) && !target.includes('\0'),
    attempt: (stage, target) => {
      const html = `<meta http-equiv="refresh" content="0; url='${escapeHtml(target)}'">`;
      return browse(stage.egress, stage.serve({ status: 200, html }));
    },
  },
  // Before the routes: papers may come from the cache, which the routes fill.
  { name: 'the full text of a paper', takes: leadsAway, asksService: 'one by one', attempt: readFullText },
  {
    name: 'a redirect behind the full text of a paper',
    takes: leadsAway,
    asksService: 'one by one',
    attempt: (stage, target) => readFullText(stage, stage.serve({ status: 302, location: target })),
  },
  ...Object.values(ROUTES).flatMap(route),
  {
    name: 'a redirect of robots.txt',
    takes: leadsAway,
    attempt: askRobots,
  },
  { name: 'a sitemap that robots.txt names', takes: (target) => URL.canParse(target), attempt: askSitemap },
  { name: 'a webhook', attempt: callWebhook },
  // The adapter parses the address once; if it then belongs to the site, it is not a way out.
  { name: 'a search result', takes: leadsAway, asksService: 'one by one', attempt: scrapeSearchResult },
  {
    name: 'a redirect behind a search result',
    takes: leadsAway,
    asksService: 'one by one',
    attempt: (stage, target) => scrapeSearchResult(stage, stage.serve({ status: 302, location: target })),
  },
  {
    name: 'a DNS answer with one such address among good ones',
    takes: withAddress,
    attempt: (stage, target) => {
      const host = freshHost();
      stage.dns.set(host, [addressOf(target)!, SITE_ADDRESS]);
      return get(stage.egress, `http://${host}:${stage.port}/mixed`);
    },
  },
  {
    name: 'a DNS answer with one such address among good ones, as Chrome',
    takes: withAddress,
    attempt: (stage, target) => {
      const host = freshHost();
      stage.dns.set(host, [addressOf(target)!, SITE_ADDRESS]);
      return asChrome(stage.egress, `http://${host}:${stage.port}/mixed`);
    },
  },
  {
    name: 'a DNS answer that changes after the first request, as Chrome',
    takes: withAddress,
    attempt: async (stage, target) => {
      const host = freshHost();
      stage.dns.set(host, (nth) => [nth === 1 ? SITE_ADDRESS : addressOf(target)!]);
      await asChrome(stage.egress, `http://${host}:${stage.port}/rebinding`);
      return asChrome(stage.egress, `http://${host}:${stage.port}/rebinding`);
    },
  },
  {
    name: 'a DNS answer that changes after the first request',
    takes: withAddress,
    attempt: async (stage, target) => {
      const host = freshHost();
      stage.dns.set(host, (nth) => [nth === 1 ? SITE_ADDRESS : addressOf(target)!]);
      await get(stage.egress, `http://${host}:${stage.port}/rebinding`);
      return get(stage.egress, `http://${host}:${stage.port}/rebinding`);
    },
  },
];

const CHROME = { proxyClass: 'enhanced', verifyTls: false, userAgent: 'Chrome/142' } as const;

/** With the client that looks like Chrome: a native library, which has to keep to the proxy. */
async function asChrome(egress: Egress, target: string): Promise<string> {
  const client = await egress.impersonate(CHROME);
  try {
    return await get({ check: egress.check, request: client.request }, target);
  } finally {
    client.close();
  }
}

/** For each route that fetches the URL in its body: one entrance for the URL itself, and one for a redirect to it. */
function route({ method, path, fetches }: Route): Entrance[] {
  if (!fetches) return [];
  const ask = ROUTE_ATTEMPTS[path] ?? notInTheTable;
  const direct: Entrance = { name: `${method} ${path}`, asksService: 'at once', attempt: ask };
  if (FOLLOWS_NO_REDIRECT.has(path)) return [direct];
  return [
    direct,
    {
      name: `a redirect behind ${method} ${path}`,
      takes: leadsAway,
      asksService: 'at once',
      attempt: (stage, target) => ask(stage, stage.serve({ status: 302, location: target })),
    },
  ];
}

let hosts = 0;
const freshHost = () => `host-${hosts++}.example.test`;

/** Uses the whole engine, which also follows redirects in the page itself. */
async function browse(egress: Egress, text: string): Promise<string> {
  const engine = createHttpEngine({ egress, clock: systemClock });
  const page = await engine.fetch(
    {
      url: new URL(text),
      asker: OWN_WORK,
      headers: CallerHeaders.none(),
      mobile: false,
      location: { country: 'US', languages: ['en'] },
      waitFor: 0,
      blockAds: true,
      actions: [],
      verifyTls: false,
      proxyClass: 'basic',
      deadline: Number.POSITIVE_INFINITY,
      admit: () => {},
    },
    AbortSignal.timeout(60_000),
  );
  return Buffer.from(page.bytes).toString();
}

/** Like the service: the text is parsed once, then redirects are followed hop by hop. */
async function get(egress: Pick<Egress, 'check' | 'request'>, text: string): Promise<string> {
  const url = readUrl(text);
  if (typeof url === 'string') throw new ServiceError('BAD_REQUEST', { message: `The URL is refused: ${url}.` });
  egress.check(url);
  const request = { url, headers: {}, route: 'basic', verifyTls: false } as const;
  const { response } = await followRedirects(egress, request, {}, AbortSignal.timeout(60_000));
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
