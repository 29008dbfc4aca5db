// The size of JSON values is estimated without writing them out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exceedsJsonSize } from '../../../../src/util/json/json-size.ts';

test('characters are counted in names, texts, numbers and lists', () => {
  const within = (value: unknown, characters: number) => !exceedsJsonSize(value, { characters, depth: 10 });
  const samples = [
    { a: 'b'.repeat(100) },
    { ['n'.repeat(100)]: 1 },
    Array(50).fill(1),
    { a: { b: [true, null, 'x'] } },
  ];
  for (const value of samples) {
    const { length } = JSON.stringify(value);
    assert.ok(within(value, length + 20), JSON.stringify(value));
    assert.ok(!within(value, length - 20), JSON.stringify(value));
  }
});

test('levels are counted, however many there are', () => {
  let value: unknown = 1;
  for (let level = 0; level < 1_000_000; level += 1) value = [value];
  assert.ok(exceedsJsonSize(value, { characters: 1e9, depth: 32 }));
  assert.ok(!exceedsJsonSize([[[1]]], { characters: 100, depth: 3 }));
  assert.ok(exceedsJsonSize([[[[]]]], { characters: 100, depth: 3 }));
});
