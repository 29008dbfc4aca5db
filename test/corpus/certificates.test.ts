// Pages behind an invalid certificate, asked for by callers who accept that and by callers who do not, through every way
// to a page. A new way needs a line in the table of entrances.
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { fullTest, test } from '../support/full-run.ts';
import { BATCH, CRAWL, runJob, until } from '../support/jobs.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

/** On every page that only a connection with an invalid certificate can give. */
const CANARY = 'cormorant';
const BAD = 'bad.test';

const listed = (exchange: Parameters<Site[string]>[0], ...urls: string[]) => {
  const entries = urls.map((url) => `<url><loc>${url}</loc></url>`).join('');
  send(exchange, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`, {
    type: 'application/xml',
  });
};
const secret = page(
  `A ${CANARY}`,
  `<p>The ${CANARY} dries its wings on the pier, and nobody knows for how long.</p><img src="/bird.png" alt="${CANARY} picture" width=400 height=300>`,
);

let web: Web;
let service: RunningService;

/** The hosts without a certificate are reached by plain http; what they lead to is not. */
const SITES: Record<string, Site> = {
  [BAD]: {
    '/*': (exchange) => send(exchange, secret, { headers: { etag: '"1"' } }),
    '/data.json': (exchange) => send(exchange, `{"bird":"${CANARY}"}`, { type: 'application/json' }),
    '/bird.js': (exchange) => send(exchange, `p.textContent = 'A ${CANARY}'`, { type: 'text/javascript' }),
    '/robots.txt': (exchange) => send(exchange, 'User-agent: *\nAllow: /', { type: 'text/plain' }),
    // It lists a page that nothing links to, on the host whose robots.txt names this file.
    '/sitemap.xml': (exchange) => listed(exchange, `${web.url('mapped.test')}${CANARY}`),
  },
  'links.test': {
    '/': (exchange) =>
      send(exchange, page('Start', `<p>Go on.</p><a href="${web.secureUrl(BAD, '/child')}">Child</a>`)),
    '/moved': (exchange) => send(exchange, '', { status: 302, headers: { location: web.secureUrl(BAD, '/landed') } }),
    '/script': (exchange) =>
      send(exchange, page('Start', `<p id="p">Wait.</p><script src="${web.secureUrl(BAD, '/bird.js')}"></script>`)),
    '/refresh': (exchange) =>
      send(exchange, `<meta http-equiv="refresh" content="0; url=${web.secureUrl(BAD, '/refreshed')}">`),
  },
  'mapped.test': {
    '/': (exchange) => send(exchange, page('Start', '<p>Nothing is linked here.</p>')),
    [`/${CANARY}`]: (exchange) => send(exchange, secret),
    '/robots.txt': (exchange) =>
      send(exchange, `User-agent: *\nAllow: /\nSitemap: ${web.secureUrl(BAD, '/sitemap.xml')}`, { type: 'text/plain' }),
  },
  'ruled.test': {
    '/': (exchange) => send(exchange, page('Start', `<p>Home of the ${CANARY}.</p>`)),
    '/robots.txt': (exchange) =>
      send(exchange, '', { status: 301, headers: { location: web.secureUrl(BAD, '/robots.txt') } }),
  },
};

before(async () => {
  web = await startWeb(SITES);
  service = await startServiceHereWith(web, { TRAWL_BROWSER: 'auto' });
});
after(async () => {
  await service?.stop();
  await web.stop();
});

interface Entrance {
  name: string;
  /** Everything that the caller gets. */
  ask(options: { skipTlsVerification: boolean }): Promise<string>;
  needsBrowser?: true;
}

const scrape =
  (url: () => string, more: object = {}): Entrance['ask'] =>
  async (options) =>
    JSON.stringify((await service.scrape({ url: url(), ...more, ...options })).body);
const job =
  (path: string, request: (scrapeOptions: object) => object): Entrance['ask'] =>
  async (options) => {
    const { documents, problems } = await runJob(service, path, request(options));
    return JSON.stringify([documents, problems.robotsBlocked]);
  };
const crawl = (url: () => string, more: object = {}) =>
  job(CRAWL, (scrapeOptions) => ({ url: url(), limit: 5, scrapeOptions, ...more }));
const search =
  (query: string, more: (options: object) => object): Entrance['ask'] =>
  async (options) =>
    JSON.stringify((await service.post('/v2/search', { query, ...more(options) })).body.data);
const WAIT = { type: 'wait', milliseconds: 1 };
const RENDERED = { waitFor: 1, maxAge: 0 };
const bad = (path: string) => () => web.secureUrl(BAD, path);

const ENTRANCES: Entrance[] = [
  { name: 'a scrape', ask: scrape(bad('/page'), { maxAge: 0 }) },
  { name: 'a scrape that the site can confirm or the cache can answer', ask: scrape(bad('/page')) },
  { name: 'lockdown', ask: scrape(bad('/page'), { lockdown: true }) },
  { name: 'a scrape of the cache alone', ask: scrape(bad('/page'), { minAge: 0 }) },
  { name: 'a phone', ask: scrape(bad('/page'), { mobile: true }) },
  { name: 'a scrape as Chrome', ask: scrape(bad('/page'), { proxy: 'enhanced', maxAge: 0 }) },
  { name: 'a scrape with headers', ask: scrape(bad('/page'), { headers: { 'x-a': 'b' } }) },
  { name: 'a file', ask: scrape(bad('/data.json'), { maxAge: 0 }) },
  { name: 'a redirect', ask: scrape(() => web.url('links.test', '/moved'), { maxAge: 0 }) },
  { name: 'a redirect in the cache', ask: scrape(() => web.url('links.test', '/moved')) },
  { name: 'a meta refresh', ask: scrape(() => web.url('links.test', '/refresh'), { maxAge: 0 }) },
  { name: 'a rendered page', ask: scrape(bad('/page'), RENDERED), needsBrowser: true },
  { name: 'a rendered redirect', ask: scrape(() => web.url('links.test', '/moved'), RENDERED), needsBrowser: true },
  { name: 'a script', ask: scrape(() => web.url('links.test', '/script'), RENDERED), needsBrowser: true },
  { name: 'actions', ask: scrape(bad('/page'), { actions: [WAIT] }), needsBrowser: true },
  { name: 'a file with actions', ask: scrape(bad('/data.json'), { actions: [WAIT] }), needsBrowser: true },
  {
    name: 'a redirect with actions',
    ask: scrape(() => web.url('links.test', '/moved'), { actions: [WAIT] }),
    needsBrowser: true,
  },
  {
    name: 'a script with actions',
    ask: scrape(() => web.url('links.test', '/script'), { actions: [WAIT] }),
    needsBrowser: true,
  },
  {
    name: 'an action',
    ask: scrape(() => web.url('links.test'), { actions: [{ type: 'click', selector: 'a' }] }),
    needsBrowser: true,
  },
  { name: 'the start of a crawl', ask: crawl(bad('/page'), { limit: 1, sitemap: 'skip' }) },
  {
    name: 'a link in a crawl',
    ask: crawl(() => web.url('links.test'), { allowExternalLinks: true, sitemap: 'skip' }),
  },
  {
    name: 'a redirect of the start of a crawl',
    ask: crawl(() => web.url('links.test', '/moved'), { limit: 1, sitemap: 'skip' }),
  },
  { name: 'a sitemap', ask: crawl(() => web.url('mapped.test')) },
  { name: 'a sitemap that is read alone', ask: crawl(() => web.url('mapped.test'), { sitemap: 'only' }) },
  {
    name: 'a sitemap, without regard to robots.txt',
    ask: crawl(() => web.url('mapped.test'), { ignoreRobotsTxt: true }),
  },
  { name: 'robots.txt', ask: crawl(() => web.url('ruled.test'), { sitemap: 'skip' }) },
  {
    name: 'a crawl in lockdown',
    ask: job(CRAWL, (more) => ({ url: bad('/page')(), limit: 1, scrapeOptions: { ...more, lockdown: true } })),
  },
  { name: 'a batch', ask: job(BATCH, (options) => ({ urls: [bad('/page')()], ...options })) },
  { name: 'a search', ask: search(`${CANARY} site:${BAD}`, (scrapeOptions) => ({ scrapeOptions })) },
  {
    name: 'a search for images',
    ask: search(`${CANARY} site:${BAD}`, (scrapeOptions) => ({ sources: ['images'], scrapeOptions })),
  },
  {
    name: 'a search that scrapes',
    ask: search(`${CANARY} site:${BAD}`, (more) => ({ scrapeOptions: { formats: ['markdown'], ...more } })),
  },
];

describe('what came over a connection with an invalid certificate', () => {
  before(async () => {
    for (const url of [bad('/page')(), web.url('links.test', '/moved')]) {
      const { body } = await service.scrape<{ data: { metadata: object } }>({ url });
      assert.equal((body.data.metadata as { tlsVerified?: boolean }).tlsVerified, false, 'the mark of a scrape');
    }
    const isIndexed = search(`${CANARY} site:${BAD}`, () => ({}));
    await until(
      () => isIndexed({ skipTlsVerification: true }),
      (found) => found.includes(CANARY),
    );
  });

  for (const { name, ask, needsBrowser } of ENTRANCES) {
    const options = needsBrowser ? NEEDS_BROWSER : {};
    const add = needsBrowser ? fullTest : test;
    add(`${name}: is there for those who accept it, and for nobody else`, options, async () => {
      const accepted = await ask({ skipTlsVerification: true });
      assert.ok(accepted.includes(CANARY), `accepted: ${accepted.slice(0, 500)}`);
      if (needsBrowser) assert.match(accepted, /"tlsVerified":false/);
      const refused = await ask({ skipTlsVerification: false });
      assert.ok(!refused.includes(CANARY), `refused: ${refused.slice(0, 500)}`);
    });
  }

  test('is marked in search results', async () => {
    const { body } = await service.post<{ data: { web: { tlsVerified?: boolean }[] } }>('/v2/search', {
      query: `${CANARY} site:${BAD}`,
    });
    assert.ok(body.data.web.length > 0 && body.data.web.every(({ tlsVerified }) => tlsVerified === false));
  });
});
