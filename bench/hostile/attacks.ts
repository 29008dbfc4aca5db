// What was found to block the event loop: attacks of one request, with a check that the service understood it, and many
// requests at once, which need no ill will.
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningProgram } from '../../test/support/service.ts';
import type { BenchSite } from '../site/site.ts';
import { HOSTILE_EXPRESSIONS, tangle } from './tangle.ts';

export interface Attack {
  name: string;
  run(service: RunningProgram, site: BenchSite): Promise<void>;
}

const many = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));
const fields = (count: number) => many(count, (index) => `"k${index}":"1"`).join();

async function post(service: RunningProgram, path: string, body: string, expected: number): Promise<{ id?: string }> {
  const response = await service.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const answer = await response.text();
  if (response.status !== expected) throw new Error(`${path} answered ${response.status}: ${answer.slice(0, 300)}`);
  return JSON.parse(answer) as { id?: string };
}

/** A request that is refused. */
const refused = (name: string, path: string, body: string): Attack => ({
  name,
  run: async (service) => void (await post(service, path, body, 400)),
});

/** A crawl that runs to its end. */
const crawled = (name: string, host: string, options: object): Attack => ({
  name,
  async run(service, site) {
    const body = JSON.stringify({ url: site.url(host, '/'), limit: 3, sitemap: 'skip', ...options });
    const { id } = await post(service, '/v2/crawl', body, 200);
    for (let status = 'scraping'; status === 'scraping'; ) {
      await sleep(100);
      const answer = await service.fetch(`/v2/crawl/${id}?limit=1`);
      ({ status } = (await answer.json()) as { status: string });
    }
  },
});

const mapped = (name: string, host: string, options: object): Attack => ({
  name,
  async run(service, site) {
    const body = { url: site.url(host, '/'), ignoreCache: true, limit: 50_000, timeout: 120_000, ...options };
    await post(service, '/v2/map', JSON.stringify(body), 200);
  },
});

async function startBatch(service: RunningProgram, site: BenchSite): Promise<void> {
  const urls = many(100_000, (index) => site.url('rules.test', `/some/path/page-${index}.html?x=${index}`));
  const { id } = await post(service, '/v2/batch/scrape', JSON.stringify({ urls }), 200);
  await service.fetch(`/v2/batch/scrape/${id}`, { method: 'DELETE' });
}

const SCRAPES = 400;
const CRAWLS = 200;
const WATCHERS = 600;

async function scrapeAtOnce(service: RunningProgram, site: BenchSite): Promise<void> {
  const url = (index: number) => site.url('rules.test', `/page/${index}`);
  const scrape = (index: number) => post(service, '/v2/scrape', JSON.stringify({ url: url(index), maxAge: 0 }), 200);
  await Promise.all(many(SCRAPES, scrape));
}

async function watchCrawls(service: RunningProgram, site: BenchSite): Promise<void> {
  const body = JSON.stringify({ url: site.url('robots.test', '/page'), sitemap: 'skip', ignoreRobotsTxt: true });
  const crawls = await Promise.all(many(CRAWLS, () => post(service, '/v2/crawl', body, 200)));
  const address = (index: number) => `${service.url.replace('http', 'ws')}/v2/crawl/${crawls[index % CRAWLS]!.id}`;
  const watch = async (index: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    new WebSocket(address(index), [service.key]).onclose = () => resolve();
    await promise;
  };
  await Promise.all(many(WATCHERS, watch));
}

const URL = '"url":"https://example.com/"';

export const ATTACKS: readonly Attack[] = [
  { name: 'nothing', run: () => sleep(3_000) },
  refused(
    '25 expressions, long start URL',
    '/v2/crawl',
    JSON.stringify({ url: `https://example.com/${tangle(16_000, 1)}`, excludePaths: HOSTILE_EXPRESSIONS }),
  ),
  refused(
    '25 expressions, start URL',
    '/v2/crawl',
    JSON.stringify({ url: `https://example.com/${tangle(2_000, 1)}`, excludePaths: HOSTILE_EXPRESSIONS }),
  ),
  crawled('25 expressions, 2,000 long links', 'links.test', { excludePaths: HOSTILE_EXPRESSIONS }),
  mapped('25 expressions, sitemap of 50,000', 'sitemap.test', { excludePaths: HOSTILE_EXPRESSIONS }),
  mapped('map of 50,000, sorted by 30 words', 'sitemap.test', { search: many(30, (word) => `ab${word}`).join(' ') }),
  crawled('200 wildcard rules, 10,000 long links', 'robots.test', {}),
  crawled('robots.txt of 15,000 rules', 'rules.test', {}),
  refused('600,000 headers', '/v2/scrape', `{${URL},"headers":{${fields(600_000)}}}`),
  refused('JSON of 5 million levels', '/v2/scrape', '['.repeat(5_000_000) + ']'.repeat(5_000_000)),
  refused('JSON of 3 million lists', '/v2/scrape', `{${URL},"formats":[${'[],'.repeat(3_000_000)}[]]}`),
  refused(
    'deep webhook.metadata',
    '/v2/crawl',
    `{${URL},"webhook":{${URL},"metadata":{"schema":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}}}`,
  ),
  refused('100,000 wrong URLs', '/v2/batch/scrape', `{"urls":[${'1,'.repeat(99_999)}1]}`),
  { name: 'batch of 100,000 URLs', run: startBatch },
  { name: `${SCRAPES} scrapes at once`, run: scrapeAtOnce },
  { name: `${CRAWLS} crawls of a team, ${WATCHERS} watchers`, run: watchCrawls },
];
