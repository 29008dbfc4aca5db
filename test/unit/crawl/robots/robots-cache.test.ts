import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRobotsCache } from '../../../../src/crawl/robots/robots-cache.ts';

function open(limits: { origins?: number; bytes?: number } = {}) {
  const clock = { time: 0, now: () => clock.time };
  const cache = createRobotsCache<string>(clock, { origins: 3, bytes: 100, ...limits });
  const fetched: string[] = [];
  const read = (origin: string, bytes = 1, keepMs = 10) =>
    cache.of(origin, async (last) => {
      fetched.push(last === undefined ? origin : `${origin} after ${last.value}`);
      return { value: `${origin}${fetched.length}`, keepMs, bytes };
    });
  return { clock, cache, fetched, read };
}

test('an answer is cached until it expires, and is then passed to the next fetch', async () => {
  const { clock, fetched, read } = open();
  assert.equal(await read('a'), 'a1');
  clock.time = 9;
  assert.equal(await read('a'), 'a1');
  clock.time = 10;
  assert.equal(await read('a'), 'a2');
  assert.deepEqual(fetched, ['a', 'a after a1']);
});

test('an answer that expires at once is shared only by concurrent callers', async () => {
  const { fetched, read } = open();
  assert.deepEqual(await Promise.all([read('a', 1, 0), read('a', 1, 0)]), ['a1', 'a1']);
  assert.equal(await read('a', 1, 0), 'a2');
  assert.equal(fetched.length, 2);
});

test('the least recently used origin is evicted first', async () => {
  const { fetched, read } = open();
  for (const origin of ['a', 'b', 'c', 'a', 'd', 'a', 'c', 'b']) await read(origin);
  assert.deepEqual(fetched, ['a', 'b', 'c', 'd', 'b']);
});

test('a large answer evicts others and is cached itself', async () => {
  const { fetched, read } = open();
  for (const [origin, bytes] of [
    ['a', 40],
    ['b', 40],
    ['c', 40],
    ['b', 40],
    ['a', 40],
    ['big', 1000],
    ['big', 1000],
    ['a', 1],
  ] as const) {
    await read(origin, bytes);
  }
  assert.deepEqual(fetched, ['a', 'b', 'c', 'a', 'big', 'a']);
});

test('a failed fetch is not cached', async () => {
  const { cache, read } = open();
  await assert.rejects(
    cache.of('a', () => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  assert.equal(await read('a'), 'a1');
});
