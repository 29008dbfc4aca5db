// How links become tasks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DiscoverInput,
  discoverTasks,
  type Frontier,
  isUnchecked,
  seedTask,
  seedTasks,
} from '../../../../src/crawl/frontier/frontier.ts';
import { createLinkMemory } from '../../../../src/crawl/frontier/link-memory.ts';
import { MAX_STEPS } from '../../../../src/crawl/frontier/pagination.ts';
import { compilePathRules } from '../../../../src/crawl/frontier/path-rules.ts';
import { createScope } from '../../../../src/crawl/frontier/scope.ts';

const SITE = 'https://shop.test/';
const KEY_RULES = { similar: true, ignoreQuery: false };
const pathRules = compilePathRules({ includePaths: [], excludePaths: [], regexOnFullURL: false });
const scope = createScope(
  { crawlEntireDomain: true, allowSubdomains: false, allowExternalLinks: true, pathRules },
  new URL(SITE),
  new URL(SITE),
);
const frontier: Frontier = { scope, keyRules: KEY_RULES, robots: () => true };

interface Page extends Partial<Omit<DiscoverInput, 'from'>> {
  at?: string;
  depth?: number;
  steps?: number;
  pattern?: string;
}

function discover({ at = '/', depth = 1, steps = 0, pattern = '', links = [], next = [], ...rest }: Page) {
  const absolute = (list: readonly string[]) => list.map((link) => URL.parse(link, SITE)?.href ?? link);
  const from = { url: new URL(at, SITE), depth, steps, pattern };
  return discoverTasks({ ...frontier, from, links: absolute(links), next: absolute(next), ...rest });
}

const urls = (tasks: { url: string }[]) => tasks.map(({ url }) => url.replace(SITE, '/'));

test('a link becomes a task one deeper than its page', () =>
  assert.deepEqual(discover({ links: ['/item/17#top'] }), [
    {
      kind: 'page',
      url: 'https://shop.test/item/17',
      key: 'shop.test/item/17',
      host: 'shop.test',
      depth: 2,
      steps: 0,
      pattern: 'shop.test/item/#',
      chained: false,
    },
  ]));

test('each linked page becomes one task, in link order, and never the page itself', () =>
  assert.deepEqual(
    urls(discover({ at: '/a/', links: ['/c', '/b', '/a', '/c/', '/A/index.html', '/b?utm_source=x', '/d'] })),
    ['/c', '/b', '/d'],
  ));

test('invalid and out-of-scope links are dropped', () =>
  assert.deepEqual(discover({ links: ['https://[', 'mailto:a@b.test', '/photo.png', ''] }), []));

test('links deeper than maxDepth are dropped, links at maxDepth are not', () => {
  assert.deepEqual(urls(discover({ depth: 1, maxDepth: 2, links: ['/a'] })), ['/a']);
  assert.deepEqual(urls(discover({ depth: 2, maxDepth: 2, links: ['/a'] })), []);
  assert.deepEqual(urls(discover({ depth: 0, maxDepth: 0, links: ['/a', '/?page=2'] })), ['/?page=2']);
});

test('a pagination link adds a step and no depth', () => {
  const [second, item] = discover({ at: '/list', depth: 1, steps: 4, links: ['/list?page=2', '/item'] });
  assert.deepEqual([second!.depth, second!.steps], [1, 5]);
  assert.deepEqual([item!.depth, item!.steps], [2, 0]);
});

test('a rel=next link counts as pagination whatever its URL looks like', () => {
  const [other, more] = discover({ at: '/list', links: ['/other', '/more/'], next: ['/more'] });
  assert.deepEqual([other!.steps, more!.steps], [0, 1]);
  assert.deepEqual(urls(discover({ next: ['/more'] })), ['/more']);
});

test('a rel=next link to another site is an ordinary link', () => {
  const [task] = discover({ next: ['https://other.test/more'] });
  assert.deepEqual([task!.depth, task!.steps], [2, 0]);
});

test('at most ten rel=next links of a page count as pagination', () => {
  const many = Array.from({ length: 50 }, (_, i) => `/word-${String.fromCharCode(97 + (i % 26)).repeat(i + 1)}`);
  const steps = discover({ links: many, next: many }).filter((task) => task.steps > 0);
  assert.equal(steps.length, 10);
});

test('an endless list is abandoned after MAX_STEPS pages', () => {
  assert.equal(discover({ at: '/?page=8', steps: MAX_STEPS - 1, links: ['/?page=9'] }).length, 1);
  assert.deepEqual(discover({ at: '/?page=8', steps: MAX_STEPS, links: ['/?page=9'] }), []);
});

test('a task is chained when it was found on a page with the same URL pattern', () => {
  const links = ['/calendar?month=5', '/item/1', '/about'];
  const chained = discover({ at: '/calendar?month=4', pattern: 'shop.test/calendar?*', links }).map((t) => t.chained);
  assert.deepEqual(chained, [true, false, false]);
  assert.deepEqual(discover({ at: '/a', pattern: '', links: ['/about'] })[0]!.chained, false);
});

test('a link that robots.txt forbids becomes a refused task', () => {
  const robots = (url: URL) => url.pathname !== '/private';
  const [open, closed] = discover({ links: ['/open', '/private'], robots });
  assert.equal(open!.refused, undefined);
  assert.deepEqual(closed!.refused, { by: 'robots' });
});

test('the home page of another site becomes a refused task without a robots.txt check', () => {
  const robots = () => assert.fail('robots.txt was checked');
  const [task] = discover({ links: ['https://other.test/'], robots });
  assert.equal(task!.refused?.by, 'scope');
  assert.equal(task!.refused?.by === 'scope' && task!.refused.code, 'EXTERNAL_LINK');
});

test('links on external pages are followed only back to the crawled site', () => {
  const links = ['https://third.test/a', 'https://third.test/', 'https://shop.test/a'];
  assert.deepEqual(urls(discover({ at: 'https://other.test/a', links })), ['/a']);
});

test('at most 10,000 links of a page are used', () => {
  const links = Array.from({ length: 12_000 }, (_, i) => `https://shop.test/item/${i}`);
  assert.equal(discover({ links }).length, 10_000);
});

test('the start URL becomes a task at depth 0 without a scope check', () =>
  assert.deepEqual(seedTask(new URL('http://other.test:81/Docs/?a=1#b'), KEY_RULES, { by: 'robots' }), {
    kind: 'page',
    url: 'http://other.test:81/Docs/?a=1',
    key: 'other.test:81/docs?a=1',
    host: 'other.test:81',
    depth: 0,
    steps: 0,
    pattern: 'other.test:81/Docs/?*',
    chained: false,
    refused: { by: 'robots' },
  }));

test('sitemap URLs become tasks at depth 0, once each and only when in scope', () => {
  const links = [
    'https://shop.test/b',
    'https://shop.test/b/',
    'https://shop.test/x.zip',
    'nonsense',
    'https://shop.test/a',
  ];
  const robots = (url: URL) => url.pathname !== '/a';
  const seeds = links.map((url, index) => ({ url, ...(index === 0 && { lastModified: 7 }) }));
  const tasks = seedTasks(seeds, { ...frontier, robots });
  assert.deepEqual(
    tasks.map(({ url, depth, lastModified, refused }) => [url, depth, lastModified, refused?.by]),
    [
      ['https://shop.test/b', 0, 7, undefined],
      ['https://shop.test/a', 0, undefined, 'robots'],
    ],
  );
});

test('a link memory of any size does not change the result', () => {
  const pages = Array.from({ length: 20 }, (_, i) => ({
    at: `/list?page=${i}`,
    links: [
      '/',
      '/about',
      `/${'long-'.repeat(60)}`,
      `/item/${i}`,
      `/item/${i + 1}`,
      `/list?page=${i + 1}`,
      '/x.zip',
      'https://other.test/',
    ],
    pattern: 'shop.test/list?*',
  }));
  const without = pages.map((page) => discover(page));
  for (const limit of [1, 4, 1_000]) {
    const memory = createLinkMemory(limit);
    assert.deepEqual(
      pages.map((page) => discover({ ...page, memory })),
      without,
      `${limit}`,
    );
  }
});

test('a link memory judges each link once per scope', () => {
  const memory = createLinkMemory();
  let judged = 0;
  const counting = () => ({
    ...scope,
    decide: (...args: Parameters<typeof scope.decide>) => {
      judged++;
      return scope.decide(...args);
    },
  });
  const first = counting();
  for (let i = 0; i < 5; i++) discover({ links: ['/a', '/b.zip'], scope: first, memory });
  assert.equal(judged, 2);
  discover({ links: ['/a', '/b.zip'], scope: counting(), memory });
  assert.equal(judged, 4);
});

test('links beyond the budget are listed as unchecked, and judged again on the next page', () => {
  const rules = compilePathRules({ includePaths: ['/item'], excludePaths: [], regexOnFullURL: false });
  const options = { crawlEntireDomain: true, allowSubdomains: false, allowExternalLinks: false, pathRules: rules };
  const limited = createScope(options, new URL(SITE), new URL(SITE));
  const memory = createLinkMemory();
  const spentAfter = (asks: number) => ({ isSpent: () => asks-- <= 0 });
  const links = ['/item/1', '/item/2', '/item/3', '/other', 'https://outside.test/item'];

  const cut = discover({ scope: limited, memory, links, budget: spentAfter(4) });
  assert.deepEqual(
    cut.map((task) => [task.url.replace(SITE, '/'), isUnchecked(task)]),
    [
      ['/item/1', false],
      ['/item/2', false],
      ['/item/3', true],
      ['/other', true],
    ],
  );
  assert.deepEqual(urls(discover({ scope: limited, memory, links })), ['/item/1', '/item/2', '/item/3']);
});

test('seeds beyond the budget are listed as unchecked', () => {
  const budget = { isSpent: () => true };
  assert.deepEqual(seedTasks([{ url: `${SITE}a` }], { ...frontier, budget }).map(isUnchecked), [true]);
});
