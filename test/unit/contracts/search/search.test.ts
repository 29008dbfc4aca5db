// How a search request is read: defaults, alternative notations, and what is tolerated.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { searchRequest } from '../../../../src/contracts/search/search.ts';
import { runs, seedOr } from '../../../support/runs.ts';

const read = (more: object = {}) => searchRequest.parse({ query: 'harbour', ...more });
const paths = (body: unknown): string[] =>
  searchRequest.safeParse(body).error?.issues.map(({ path }) => path.join('.')) ?? [];

test('only the query is required', () => {
  const { scrapeOptions, ...request } = read();
  assert.deepEqual(request, {
    query: 'harbour',
    limit: 10,
    sources: { known: [], unknown: [] },
    categories: { known: [], unknown: [] },
    includeDomains: [],
    excludeDomains: [],
    highlights: true,
    returns: 'pages',
    ignoreInvalidURLs: false,
    asyncScraping: false,
    enterprise: [],
    zeroDataRetention: false,
    timeout: 60_000,
    explain: false,
    ...('origin' in request && { origin: request.origin }),
  });
  // As in a scrape, except that without formats nothing is scraped.
  assert.deepEqual([scrapeOptions.formats, scrapeOptions.timeout, scrapeOptions.onlyMainContent], [[], 60_000, true]);
  assert.deepEqual(read({ scrapeOptions: { formats: ['markdown'] } }).scrapeOptions.formats, [{ type: 'markdown' }]);
});

test('headers keep scraped results out of the cache, as in a scrape', () => {
  assert.equal(read({ scrapeOptions: { headers: { cookie: 'a=b' } } }).scrapeOptions.storeInCache, false);
});

test('sources keep their own options, and unknown ones are listed apart', () => {
  assert.deepEqual(
    read({ sources: ['news', { type: 'web', tbs: 'qdr:d', location: 'Berlin' }, 'alexandria'] }).sources,
    { known: [{ type: 'news' }, { type: 'web', tbs: 'qdr:d', location: 'Berlin' }], unknown: ['alexandria'] },
  );
  assert.deepEqual(read({ sources: ['x', { type: 'x' }] }).sources, { known: [], unknown: ['x'] });
});

test('categories are split into known and unknown ones', () => {
  assert.deepEqual(read({ categories: ['pdf', { type: 'github' }, 'gov', 'pdf', 'gov'] }).categories, {
    known: ['pdf', 'github'],
    unknown: ['gov'],
  });
});

test('countries are normalised', () => {
  assert.deepEqual(
    ['de', 'JP', 'uk', 'GB'].map((country) => read({ country }).country),
    ['DE', 'JP', 'GB', 'GB'],
  );
  assert.deepEqual(paths({ query: 'x', country: 'Germany' }), ['country']);
});

test('hosts are normalised', () => {
  assert.deepEqual(
    read({ includeDomains: [' Example.COM', 'bücher.example', 'example.org.', '127.0.0.1'] }).includeDomains,
    ['example.com', 'xn--bcher-kva.example', 'example.org', '127.0.0.1'],
  );
  assert.deepEqual(paths({ query: 'x', includeDomains: ['a.test'], excludeDomains: ['b.test'] }), ['excludeDomains']);
});

test('the limits of the specification apply at both ends', () => {
  const isFine = (more: object) => paths({ query: 'x', ...more }).length === 0;
  assert.ok(isFine({ limit: 1 }) && isFine({ limit: 100 }) && !isFine({ limit: 0 }) && !isFine({ limit: 101 }));
  assert.ok(isFine({ query: '漢'.repeat(500) }) && !isFine({ query: '漢'.repeat(501) }));
  const scrapeTimeout = (timeout: number) => isFine({ scrapeOptions: { timeout } });
  assert.ok(scrapeTimeout(1_000) && scrapeTimeout(300_000) && !scrapeTimeout(999) && !scrapeTimeout(300_001));
});

test('any input is either read or refused without an exception', () => {
  const fields = Object.fromEntries(Object.keys(read()).map((name) => [name, fc.anything()]));
  fc.assert(
    fc.property(fc.record({ ...fields, query: fc.oneof(fc.string(), fc.anything()) }, { requiredKeys: [] }), (body) => {
      searchRequest.safeParse(body);
    }),
    { seed: seedOr(20260105), numRuns: runs(300, 6_000) },
  );
});
