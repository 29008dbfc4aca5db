// Steps about whole sites: map, crawl, and a search of what was crawled.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, asCurl } from '../client.ts';
import { inWords, type Stage, type Step } from './stage.ts';

const POLL_MS = 100;
const JOB_MS = 120_000;

export const map: Step = {
  name: 'map',
  title: 'Map a site',
  async run({ web, screen, call, expect }) {
    screen.text('The addresses of a site, from its sitemap and its links, the best for your words first.');
    const { body } = await call({ path: '/v2/map', body: { url: web.url, search: 'rope', limit: 10 } });
    const first: string[] = (body.links ?? []).slice(0, 2).map(({ url }: { url: string }) => url.slice(web.url.length));
    expect(
      first.includes('/shop/hemp-rope') && first.includes('/journal/splicing'),
      'The rope, and the article on splicing one, come first.',
    );
  },
};

export const crawl: Step = {
  name: 'crawl',
  title: 'Crawl a site',
  async run(stage) {
    const { web, service, screen, call, ask, expect } = stage;
    screen.text('Shop, docs, journal and price list, all in one job. The harbour log and the tide board come later.');
    const body = { url: web.url, excludePaths: ['^/log/', '^/tides/'], limit: 50 };
    const started = await call({ path: '/v2/crawl', body });
    const path = `/v2/crawl/${started.body.id}`;
    screen.command(asCurl(service.url, { path }));
    const began = performance.now();
    const ended = await waitForJob(stage, path);
    screen.answer(`completed after ${inWords(performance.now() - began)}`, ended.body);
    const crawled = urlsOf(ended).map((url) => url.slice(web.url.length));
    const wanted = [...web.paths.filter((page) => !/^\/(log|tides)\//.test(page)), '/price-list.pdf'];
    expect(isSame(crawled, wanted), `${crawled.length} of ${wanted.length} pages, each of them once.`);
    const errors = await ask({ path: `${path}/errors` });
    const blocked = `${errors.body.robotsBlocked}`;
    expect(
      blocked === `${web.url}/office/` && web.requests('/office/') === 0,
      'robots.txt forbids /office/: it was not fetched, and the list of errors says so.',
    );
  },
};

export const search: Step = {
  name: 'search',
  title: 'Search',
  async run({ web, screen, ask, call, expect }) {
    screen.text(
      'Everything fetched is in the index of the service itself, so this needs no provider and no network. With one, the results of search engines are mixed in.',
    );
    const page = `${web.url}/journal/splicing`;
    // The tour may start here: then the page is not in the index yet.
    await ask({ path: '/v2/scrape', body: { url: page } });
    const { body } = await call({ path: '/v2/search', body: { query: 'how do I splice hemp rope', limit: 3 } });
    expect(body.data?.web?.[0]?.url === page, 'The article on splicing is the first result.');
  },
};

/** Asks until the job has ended; the answer has all of its pages. */
export async function waitForJob({ ask, signal }: Stage, path: string): Promise<Answer> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(JOB_MS)]);
  for (;;) {
    const answer = await ask({ path });
    if (answer.body.status !== 'scraping') {
      if (answer.body.next)
        throw new Error('The result of the crawl is longer than one page, which the tour does not expect.');
      return answer;
    }
    await sleep(POLL_MS, undefined, { signal: limit });
  }
}

export const urlsOf = ({ body }: Answer): string[] =>
  (body.data ?? []).map(({ metadata }: { metadata: { url: string } }) => metadata.url);

export const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.toSorted().join('\n') === others.toSorted().join('\n');
