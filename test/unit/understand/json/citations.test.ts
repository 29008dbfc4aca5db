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

test('a value of a list stands near what stands in the same entry, also behind its value', () => {
  const text = 'Water is free.\n\nSoup 4.50\n\nWater 2.00\n\nSalad 4.50\n\n4.50 Bread';
  const items = [
    { name: 'Soup', price: 4.5 },
    { name: 'Water', price: 2 },
    { name: 'Salad', price: 4.5 },
    { name: 'Bread', price: 4.5 },
  ];
  const { 'json.items[0].price': soup, ...rest } = citationsOf({ items }, { markdown: text, url: 'https://a.test/' });
  const starts = [soup, rest['json.items[2].price'], rest['json.items[3].price']].map((citation) => citation!.start);
  assert.deepEqual(starts, [text.indexOf('4.50'), text.indexOf('4.50\n\n4.50'), text.lastIndexOf('4.50')]);
  assert.equal(rest['json.items[1].name']!.start, text.lastIndexOf('Water'));
});
