// Answers that are kept for a while, within bounds, and questions that are under way.
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
    async keep(key: string, title = key) {
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

test('an answer is kept for as long as it was told, and not longer', async () => {
  const { keep, titleOf, pass } = setUp();
  await keep('a');
  pass(999);
  assert.equal(await titleOf('a'), 'a');
  pass(1);
  assert.equal(await titleOf('a'), undefined);
});

test('a question under way is shared, and a failure is not kept', async () => {
  const { cache } = setUp();
  const flight = Promise.withResolvers<ProviderAnswer>();
  cache.share('a', flight.promise, 1_000);
  assert.equal(cache.find('a'), flight.promise);
  flight.reject(new Error('down'));
  await assert.rejects(flight.promise);
  await new Promise(setImmediate);
  assert.equal(cache.find('a'), undefined);
});

test('whoever changes what it was given changes it for nobody else', async () => {
  const { cache, keep, titleOf } = setUp();
  await keep('a');
  (await cache.find('a'))!.results.length = 0;
  assert.equal(await titleOf('a'), 'a');
});

test('the answers that were not used for longest go first', async () => {
  const { keep, titleOf } = setUp({ answers: 2 });
  await keep('a');
  await keep('b');
  await titleOf('a');
  await keep('c');
  assert.deepEqual([await titleOf('a'), await titleOf('b'), await titleOf('c')], ['a', undefined, 'c']);
});

test('all answers together stay below their size, and one that is larger is not kept', async () => {
  const { keep, titleOf } = setUp({ chars: 1_000 });
  await keep('a', 'x'.repeat(500));
  await keep('b', 'y'.repeat(500));
  assert.deepEqual([await titleOf('a'), (await titleOf('b'))?.length], [undefined, 500]);
  await keep('c', 'z'.repeat(2_000));
  assert.equal(await titleOf('c'), undefined);
  await keep('d', 'w');
  assert.equal(await titleOf('d'), 'w');
});
