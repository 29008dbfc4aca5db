// How old a cached copy may be for a request, and how long pages stay in the cache.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrapeRequest } from '../../../../src/contracts/scrape/scrape.ts';
import {
  acceptedAge,
  cacheExpiry,
  cacheOnly,
  uncachedFormats,
} from '../../../../src/operations/page/cache/page-cache.ts';
import type { PageHeader, VerdictKind } from '../../../../src/page/page.ts';

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;
const options = (given: object) => scrapeRequest.parse({ url: 'https://example.com', ...given });
const age = (given: object) => acceptedAge(options(given), NOW);

test('by default a copy of up to two days is accepted', () => {
  assert.deepEqual(age({}), { from: NOW - 2 * DAY, until: NOW });
});

test('maxAge 0 skips the cache', () => assert.equal(age({ maxAge: 0 }), undefined));

test('minAge reads only the cache, for any copy that is old enough', () => {
  const accepted = age({ minAge: 1 });
  assert.equal(accepted?.until, NOW - 1);
  assert.ok(accepted!.from < 0);
  assert.ok(cacheOnly(options({ minAge: 0 })));
});

test('minAge with maxAge is a window', () => {
  assert.deepEqual(age({ minAge: 10, maxAge: 100 }), { from: NOW - 100, until: NOW - 10 });
});

test('lockdown accepts copies of up to two years', () => assert.equal(age({ lockdown: true })?.from, NOW - 730 * DAY));

test('a request with its own headers never reads the shared cache', () => {
  assert.equal(age({ headers: { cookie: 'a=1' } }), undefined);
  assert.equal(age({ headers: { cookie: 'a=1' }, minAge: 1 }), undefined);
});

test('how a page looks is never cached, but the page beside it may come from the cache alone', () => {
  assert.equal(age({ formats: ['markdown', 'branding'] }), undefined);
  assert.ok(age({ formats: ['markdown', 'branding'], minAge: 0 }));
  assert.deepEqual(uncachedFormats(options({ formats: ['branding', 'markdown', 'audio'] })), ['branding', 'audio']);
});

test('content stays until it is evicted, anything else for five minutes', () => {
  const header = (status: number) => ({ status, fetchedAt: NOW }) as PageHeader;
  const verdict = (kind: VerdictKind) => ({ kind, reason: '' });
  assert.equal(cacheExpiry(header(200), verdict('content')), null);
  assert.equal(cacheExpiry(header(404), verdict('content')), NOW + 300_000);
  assert.equal(cacheExpiry(header(200), verdict('login-wall')), NOW + 300_000);
});
