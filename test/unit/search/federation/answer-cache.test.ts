// Caching provider answers for a while, within limits, and sharing requests in flight.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnswerCacheLimits, createAnswerCache } from '../../../../src/search/federation/answer-cache.ts';
import type { ProviderAnswer } from '../../../../src/search/providers/provider.ts';

const answer = (title: string): ProviderAnswer => ({
  results: [{ url: 'https://a.example/', title, description: '' }],
  hasMore: false,
});

function setUp(limits: Partial<AnswerCacheLimits> = {}) {
  let time = 1_000_000;
  const cache = createAnswerCache({ now: () => time }, limits);
  return {
    cache,
    async store(key: string, title = key) {
      const flight = Promise.resolve(answer(title));
      cache.share(key, flight, 1_000);
      await flight;
      await new Promise(setImmediate);
    },
    titleOf: async (key: string) => (await cache.find(key))?.results[0]?.title,
    pass(ms: number) {
      time += ms;
    },
  };
}

test('an answer is cached for its lifetime and not longer', async () => {
  const { store, titleOf, pass } = setUp();
  await store('a');
  pass(999);
  assert.equal(await titleOf('a'), 'a');
  pass(1);
  assert.equal(await titleOf('a'), undefined);
});

test('a request in flight is shared, and a failure is not cached', async () => {
  const { cache } = setUp();
  const flight = Promise.withResolvers<ProviderAnswer>();
  cache.share('a', flight.promise, 1_000);
  assert.equal(cache.find('a'), flight.promise);
  flight.reject(new Error('down'));
  await assert.rejects(flight.promise);
  await new Promise(setImmediate);
  assert.equal(cache.find('a'), undefined);
});

test('a caller that changes its answer does not change the cached one', async () => {
  const { cache, store, titleOf } = setUp();
  await store('a');
  (await cache.find('a'))!.results.length = 0;
  assert.equal(await titleOf('a'), 'a');
});

test('the least recently used answers are evicted first', async () => {
  const { store, titleOf } = setUp({ answers: 2 });
  await store('a');
  await store('b');
  await titleOf('a');
  await store('c');
  assert.deepEqual([await titleOf('a'), await titleOf('b'), await titleOf('c')], ['a', undefined, 'c']);
});

test('all answers together stay below the size limit, and one above it is not cached', async () => {
  const { store, titleOf } = setUp({ chars: 1_000 });
  await store('a', 'x'.repeat(500));
  await store('b', 'y'.repeat(500));
  assert.deepEqual([await titleOf('a'), (await titleOf('b'))?.length], [undefined, 500]);
  await store('c', 'z'.repeat(2_000));
  assert.equal(await titleOf('c'), undefined);
  await store('d', 'w');
  assert.equal(await titleOf('d'), 'w');
});
