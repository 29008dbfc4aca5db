// Where values of an answer stand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { citationsOf } from '../../../../src/understand/json/citations.ts';

const cite = (value: unknown, markdown: string, origins = {}) =>
  Object.fromEntries(
    Object.entries(citationsOf(value, { markdown, url: 'https://lamps.test/' }, origins)).map(([path, citation]) => {
      assert.equal(markdown.slice(citation.start, citation.end), citation.text);
      return [path, `${markdown.slice(Math.max(0, citation.start - 2), citation.start)}|${citation.text}`];
    }),
  );

test('a number stands where it is written alone, not in a group of a phone number, a card or a date', () => {
  const text = 'Call +44 20 7946 0958 or (20) 555-20, by 20/11/2026. It burns for 20 hours.';
  assert.deepEqual(cite({ hours: 20 }, text), { 'json.hours': 'r |20' });
  assert.deepEqual(cite({ hours: 20 }, text, { hours: '20' }), { 'json.hours': 'r |20' });
  assert.deepEqual(cite({ code: 44 }, text), {});
});

test('prices are found as they are written, words only as whole words', () => {
  const text = 'The lamp costs £1,039.50 in the lamplight shop.';
  assert.deepEqual(cite({ price: 1039.5, name: 'lamp' }, text), {
    'json.price': ' £|1,039.50',
    'json.name': 'e |lamp',
  });
  assert.deepEqual(cite({ name: 'light' }, text), {});
});
