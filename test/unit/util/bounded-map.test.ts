import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBoundedMap } from '../../../src/util/bounded-map.ts';

const fill = (map: { set(key: string, value: number): void }, keys: string) => {
  for (const [index, key] of [...keys].entries()) map.set(key, index);
};

test('the least recently used entry makes room for a new one', () => {
  const map = createBoundedMap<string, number>({ maxEntries: 3 });
  fill(map, 'abc');
  assert.equal(map.get('a'), 0);
  map.set('d', 3);
  assert.deepEqual([...map.keys()], ['c', 'a', 'd']);
  map.set('c', 9);
  map.set('e', 4);
  assert.deepEqual([...map.keys()], ['d', 'c', 'e']);
  assert.equal(map.size, 3);
});

test('peek does not count as a use', () => {
  const map = createBoundedMap<string, number>({ maxEntries: 2 });
  fill(map, 'ab');
  assert.equal(map.peek('a'), 0);
  map.set('c', 2);
  assert.equal(map.peek('a'), undefined);
});

test('entries expire after their own time to live or the common one', () => {
  const clock = { time: 100, now: () => clock.time };
  const map = createBoundedMap<string, number>({ ttlMs: 10, clock });
  map.set('common', 1);
  map.set('own', 2, 20);
  clock.time = 109;
  assert.equal(map.get('common'), 1);
  clock.time = 110;
  assert.equal(map.get('common'), undefined);
  assert.equal(map.peek('own'), 2);
  clock.time = 120;
  assert.equal(map.peek('own'), undefined);
  assert.equal(map.size, 0);
});

test('without a time to live nothing expires', () => {
  const clock = { time: 0, now: () => clock.time };
  const map = createBoundedMap<string, number>({ clock });
  map.set('a', 1);
  clock.time = Number.MAX_SAFE_INTEGER;
  assert.equal(map.get('a'), 1);
});

test('a heavy entry evicts as many others as needed, and one that is too heavy is not stored', () => {
  const map = createBoundedMap<string, number>({ maxWeight: 10, weightOf: (value) => value });
  for (const [key, weight] of [
    ['a', 4],
    ['b', 4],
    ['c', 2],
    ['d', 5],
  ] as const) {
    map.set(key, weight);
  }
  assert.deepEqual([...map.keys()], ['c', 'd']);
  map.set('c', 11);
  assert.deepEqual([...map.keys()], ['d']);
  map.delete('d');
  map.delete('d');
  map.set('e', 10);
  assert.deepEqual([...map.keys()], ['e']);
  map.clear();
  map.set('f', 10);
  assert.deepEqual([...map.keys()], ['f']);
});

test('a value is created once, and again after it was evicted', () => {
  const map = createBoundedMap<string, number>({ maxEntries: 1 });
  let made = 0;
  const create = () => ++made;
  assert.deepEqual([map.getOrCreate('a', create), map.getOrCreate('a', create)], [1, 1]);
  assert.equal(map.getOrCreate('b', create), 2);
  assert.equal(map.getOrCreate('a', create), 3);
});

test('entries with a high eviction cost stay while there is a cheaper one', () => {
  const map = createBoundedMap<string, number>({ maxEntries: 3, evictionCost: (cost) => cost });
  map.set('must stay', Number.POSITIVE_INFINITY);
  map.set('costly', 2);
  map.set('free', 0);
  map.set('cheap', 1);
  assert.deepEqual([...map.keys()].sort(), ['cheap', 'costly', 'must stay']);
  map.set('free', 0);
  assert.deepEqual([...map.keys()].sort(), ['costly', 'free', 'must stay']);
});

test('the map grows while every entry must stay, and shrinks when they may be evicted', () => {
  const pinned = new Set(['a', 'b', 'c', 'd']);
  const map = createBoundedMap<string, string>({
    maxEntries: 2,
    evictionCost: (name) => (pinned.has(name) ? Number.POSITIVE_INFINITY : 0),
  });
  for (const name of pinned) map.set(name, name);
  assert.equal(map.size, 4);
  pinned.clear();
  map.set('e', 'e');
  assert.equal(map.size, 2);
  assert.equal(map.peek('e'), 'e');
});
