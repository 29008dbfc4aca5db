// Objects combined by key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { combine } from '../../../src/util/combine.ts';

test('parts with different keys become one object', () => {
  const all = combine({ a: 1 }, { b: 'two' }, { c: true });
  const [a, b, c]: [number, string, boolean] = [all.a, all.b, all.c];
  assert.deepEqual([a, b, c], [1, 'two', true]);
});

test('two parts with the same key do not compile, and throw', () => {
  // @ts-expect-error both parts have the key `clock`
  assert.throws(() => combine({ clock: 1 }, { log: 2 }, { clock: 3 }), /Two parts have the key "clock"/);
});
