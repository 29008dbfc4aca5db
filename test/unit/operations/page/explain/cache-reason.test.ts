// Why a request was answered from the cache, or why not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrapeOptions } from '../../../../../src/contracts/scrape/scrape-options.ts';
import { cacheNote } from '../../../../../src/operations/page/explain/cache-reason.ts';

const NOW = Date.UTC(2026, 2, 1);
const HOUR = 3_600_000;

const note = (options: object, copy?: { age: number; isAccepted: boolean }) =>
  cacheNote({
    options: { ...scrapeOptions.parse(options), zeroDataRetention: false },
    now: NOW,
    copy: copy && { header: { fetchedAt: NOW - copy.age }, isAccepted: copy.isAccepted },
  });

test('a hit says how old the copy is', () => {
  assert.deepEqual(note({}, { age: 2 * HOUR + 5, isAccepted: true }), {
    state: 'hit',
    reason: 'The cache had a copy that is 2 hours old.',
    cachedAt: '2026-02-28T21:59:59.995Z',
  });
  assert.match(note({}, { age: 0, isAccepted: true }).reason, /0 seconds old/);
});

test('a miss says whether there was a copy, and which age would have been accepted', () => {
  assert.deepEqual(note({}), { state: 'miss', reason: 'The cache had no copy of the page for these options.' });
  const { state, reason } = note({ maxAge: HOUR }, { age: 49 * HOUR, isAccepted: false });
  assert.deepEqual([state, reason], ['miss', 'The copy in the cache is 2 days old, and the request accepts 1 hour.']);
});

const BYPASSES: [options: object, reason: RegExp][] = [
  [{ maxAge: 0 }, /`maxAge: 0` asks for a fresh page/],
  [{ headers: { cookie: 'secret' } }, /Requests with `headers` are private/],
  [{ actions: [{ type: 'wait', milliseconds: 10 }] }, /Requests with `actions` are private/],
  [{ formats: ['branding'] }, /`branding` is never cached/],
  [{ formats: ['markdown', 'changeTracking'] }, /fresh looks/],
];
for (const [options, reason] of BYPASSES) {
  test(`the cache is bypassed with ${JSON.stringify(options)}, and no value of the request is repeated`, () => {
    const found = note(options);
    assert.equal(found.state, 'bypassed');
    assert.match(found.reason, reason);
    assert.doesNotMatch(found.reason, /secret/);
  });
}
