import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRobotsCache } from '../../../../src/crawl/robots/robots-cache.ts';

function open(limits: { origins?: number; bytes?: number } = {}) {
  const clock = { time: 0, now: () => clock.time };
  const cache = createRobotsCache<string>(clock, { origins: 3, bytes: 100, ...limits });
  const asked: string[] = [];
  const ask = (origin: string, bytes = 1, keepMs = 10) =>
    cache.of(origin, async (last) => {
      asked.push(last === undefined ? origin : `${origin} after ${last.value}`);
      return { value: `${origin}${asked.length}`, keepMs, bytes };
    });
  return { clock, cache, asked, ask };
}

test('an answer is kept as long as it holds, and the next question knows it', async () => {
  const { clock, asked, ask } = open();
  assert.equal(await ask('a'), 'a1');
  clock.time = 9;
  assert.equal(await ask('a'), 'a1');
  clock.time = 10;
  assert.equal(await ask('a'), 'a2');
  assert.deepEqual(asked, ['a', 'a after a1']);
});

test('an answer that does not hold at all is only for those who asked together', async () => {
  const { asked, ask } = open();
  assert.deepEqual(await Promise.all([ask('a', 1, 0), ask('a', 1, 0)]), ['a1', 'a1']);
  assert.equal(await ask('a', 1, 0), 'a2');
  assert.equal(asked.length, 2);
});

test('the longest unused goes first when there are too many', async () => {
  const { asked, ask } = open();
  for (const origin of ['a', 'b', 'c', 'a', 'd', 'a', 'c', 'b']) await ask(origin);
  assert.deepEqual(asked, ['a', 'b', 'c', 'd', 'b']);
});

test('large answers push others out, and are kept themselves', async () => {
  const { asked, ask } = open();
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
    await ask(origin, bytes);
  }
  assert.deepEqual(asked, ['a', 'b', 'c', 'a', 'big', 'a']);
});

test('a question that fails is forgotten', async () => {
  const { cache, ask } = open();
  await assert.rejects(
    cache.of('a', () => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  assert.equal(await ask('a'), 'a1');
});
