// The scores of the understanding bench.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreFields } from '../../../../bench/understand/score-fields.ts';

const rights = (expected: Parameters<typeof scoreFields>[0], actual: unknown) =>
  Object.fromEntries(scoreFields(expected, actual).map(({ path, right }) => [path, right]));

test('a field is right if it has the value and the type of the truth', () => {
  const expected = { price: 19.9, name: 'Cup', sizes: ['S', 'M'], venue: { city: 'Bonn' }, day: '2026-03-14' };
  const actual = { price: '19.9', name: ' Cup\n', sizes: ['S'], venue: { city: 'Bonn' }, day: '2026-03-14T00:00:00Z' };
  assert.deepEqual(rights(expected, actual), { price: 0, name: 1, sizes: 0, 'venue.city': 1, day: 1 });
});

test('rows that are missing or too many count as wrong', () => {
  const expected = { items: [{ name: 'a' }, { name: 'b' }] };
  assert.deepEqual(rights(expected, { items: [{ name: 'a' }] }), { 'items[].name': 0.5 });
  assert.deepEqual(rights(expected, { items: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }] }), {
    'items[].name': 0.5,
  });
  assert.deepEqual(rights({ '': [{ name: 'a' }] }, [{ name: 'a' }]), { '[].name': 1 });
});

test('a value that the page does not state is right only if it is left out', () => {
  const [left] = scoreFields({ code: null }, {});
  const [invented] = scoreFields({ code: { anyOf: [null, false] } }, { code: true });
  assert.deepEqual([left!.right, left!.isUnstated], [1, true]);
  assert.deepEqual([invented!.right, invented!.isUnstated], [0, true]);
});
