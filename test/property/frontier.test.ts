// The frontier with addresses that nobody would write by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DiscoverInput, discoverTasks } from '../../src/crawl/frontier/frontier.ts';
import { createLinkMemory } from '../../src/crawl/frontier/link-memory.ts';
import { isNextPage, MAX_STEPS } from '../../src/crawl/frontier/pagination.ts';
import { compilePathRules } from '../../src/crawl/frontier/path-rules.ts';
import { createScope } from '../../src/crawl/frontier/scope.ts';
import { type KeyRules, urlKey } from '../../src/crawl/frontier/url-key.ts';
import { urlPattern } from '../../src/crawl/frontier/url-pattern.ts';
import { runs, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_260_402);
const RUNS = { seed: SEED, numRuns: runs(2_000, 40_000) };

/** Pieces that some rule treats specially, mixed with ordinary ones. */
const piece = fc.oneof(
  fc.constantFrom(
    ...['index.html', 'Default.aspx', ';jsessionid=A1', ';jsessionid=', '%', '%%34%31', '%41', '%2f', '%C3%a9', '%7e'],
    ...['..', '.', '..;jsessionid=1', '//', '+', ' ', 'page', 'page-3', 'A', 'b', '~', 'é', '17', '2031-04-05', "'"],
  ),
  fc.string({ maxLength: 6 }),
);
const path = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('/').replace(/[?#\\]/g, ''));
const parameter = fc.oneof(
  fc.constantFrom(
    'utm_source=1',
    'PHPSESSID=x',
    'sid=3',
    'sid=4f9a1c7e2b6d8f0a3c5e7b9d',
    'a',
    'a=',
    '=a',
    'b=%2b',
    'page=2',
  ),
  fc.tuple(piece, piece).map(([name, value]) => `${name}=${value}`),
);
const query = fc.array(parameter, { maxLength: 4 }).map((parts) => parts.join('&').replaceAll('#', ''));
const host = fc.constantFrom(
  ...[
    'example.com',
    'www.example.com',
    'www.www.example.com.',
    'www.com',
    'localhost',
    '10.0.0.1',
    '[::1]',
    'bücher.test',
  ],
);
const port = fc.constantFrom('', ':80', ':443', ':8080');

const url = fc
  .tuple(fc.constantFrom('http', 'https'), host, port, path, query)
  .map(([scheme, name, at, rest, search]) => URL.parse(`${scheme}://${name}${at}/${rest}?${search}#fragment`))
  .filter((parsed) => parsed !== null);

const keyRules = fc.record({ similar: fc.boolean(), ignoreQuery: fc.boolean() });

test('taking the key of a key changes nothing', () =>
  fc.assert(
    fc.property(url, keyRules, (address, rules) => {
      const key = urlKey(address, rules);
      const again = new URL(rules.similar ? `http://${key}` : key);
      assert.equal(urlKey(again, rules), key);
    }),
    RUNS,
  ));

test('variants of an address share its key', () => {
  const similar: KeyRules = { similar: true, ignoreQuery: false };
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}$/), { maxLength: 3 });
  fc.assert(
    fc.property(names, names, (folders, parameters) => {
      const path = ['/root', ...folders].join('/');
      const search = parameters.map((name, i) => `x-${name}=${i}`);
      const key = urlKey(new URL(`https://example.com${path}?${search.join('&')}`), similar);
      for (const variant of [
        `http://www.example.com${path}/?${search.join('&')}`,
        `https://example.com:443${path}/index.html?utm_source=a&${search.join('&')}`,
        `https://example.com${path.replaceAll('/', '//').toUpperCase()}?${search.toReversed().join('&')}`,
        `https://example.com${path};jsessionid=AB12?fbclid=1&${search.join('&')}#x`,
      ]) {
        assert.equal(urlKey(new URL(variant), similar), key, variant);
      }
    }),
    RUNS,
  );
});

test('a pattern is at most 512 characters long and replaces only numbers', () =>
  fc.assert(
    fc.property(url, fc.nat(), fc.nat(), (address, one, other) => {
      assert.ok(urlPattern(address).length <= 512);
      const at = (number: number) => urlPattern(new URL(`https://example.com/list/item-${number}`));
      assert.equal(at(one), at(other));
      const plain = new URL(`https://example.com/${address.pathname.replace(/[^a-z]/gi, '')}`);
      assert.equal(urlPattern(plain), '');
    }),
    RUNS,
  ));

test('being pages of one list is symmetric, and never true of a page and itself', () =>
  fc.assert(
    fc.property(url, url, (one, other) => {
      assert.equal(isNextPage(one, other), isNextPage(other, one));
      assert.ok(!isNextPage(one, one));
    }),
    RUNS,
  ));

test('path expressions match the same addresses as in JavaScript', () => {
  const part = fc.constantFrom('a', 'b', '/', '\\/', '\\d', '[a-c]', '[^/]', '.', '(?:ab)', '(a|b)', '\\w', '-', '\\.');
  const repeated = fc.tuple(part, fc.constantFrom('', '', '*', '+', '?', '{1,3}')).map((pair) => pair.join(''));
  const source = fc
    .tuple(fc.constantFrom('', '^'), fc.array(repeated, { minLength: 1, maxLength: 6 }), fc.constantFrom('', '$'))
    .map(([start, parts, end]) => start + parts.join('') + end);
  const plainPath = fc.stringMatching(/^[abc12/.-]{0,12}$/).map((text) => `/${text.replace(/\.+/g, '.')}`);
  fc.assert(
    fc.property(source, plainPath, (expression, text) => {
      const address = new URL(`https://example.com${text.replace(/^\/+/, '/')}`);
      const oracle = new RegExp(expression);
      const expected = oracle.test(address.pathname) || oracle.test(address.pathname.slice(1));
      const rulesOf = (includePaths: string[], excludePaths: string[]) =>
        compilePathRules({ includePaths, excludePaths, regexOnFullURL: false });
      assert.equal(rulesOf([expression], []).allows(address), expected);
      assert.equal(rulesOf([], [expression]).allows(address), !expected);
      const onUrl = compilePathRules({ includePaths: [expression], excludePaths: [], regexOnFullURL: true });
      assert.equal(onUrl.allows(address), oracle.test(address.href));
    }),
    { seed: SEED, numRuns: runs(500, 10_000) },
  );
});

test('the tasks of a page are distinct, in scope and within their budgets, with and without a memory', () => {
  const memory = createLinkMemory(16);
  const pathRules = compilePathRules({ includePaths: [], excludePaths: ['b'], regexOnFullURL: false });
  const start = new URL('https://example.com/');
  const scope = createScope(
    { crawlEntireDomain: true, allowSubdomains: false, allowExternalLinks: true, pathRules },
    start,
    start,
  );
  const link = fc.oneof(url.map(String), fc.string());
  const page = fc.record({
    from: fc.record({
      url,
      depth: fc.nat(4),
      steps: fc.constantFrom(0, MAX_STEPS - 1, MAX_STEPS),
      pattern: fc.constant(''),
    }),
    links: fc.array(link, { maxLength: 30 }),
    next: fc.array(link, { maxLength: 2 }),
    maxDepth: fc.option(fc.nat(4), { nil: undefined }),
  });
  fc.assert(
    fc.property(page, ({ from, links, next, maxDepth }) => {
      const rules = { similar: true, ignoreQuery: false };
      const robots = (address: URL) => !address.pathname.includes('A');
      const input: DiscoverInput = { from, links, next, maxDepth, scope, keyRules: rules, robots };
      const tasks = discoverTasks(input);
      const keys = tasks.map(({ key }) => key);
      assert.equal(new Set(keys).size, keys.length);
      assert.ok(!keys.includes(urlKey(from.url, rules)));
      for (const task of tasks) {
        const decision = scope.decide(new URL(task.url), { isHome: scope.isHome(from.url) });
        assert.notEqual(decision, 'out', task.url);
        assert.ok(task.depth <= (maxDepth ?? 5) && task.steps <= MAX_STEPS);
        assert.ok(task.depth === from.depth + 1 || task.steps === from.steps + 1);
        assert.equal(task.refused?.by === 'scope', decision === 'external-home-page');
      }
      assert.deepEqual(discoverTasks({ ...input, memory }), tasks);
    }),
    { seed: SEED, numRuns: runs(1_000, 20_000) },
  );
});
