// Numbers, amounts and durations as people write them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCurrency } from '../../../../../src/text/prices/prices.ts';
import {
  findAmount,
  findCount,
  findMinutes,
  findNumber,
} from '../../../../../src/understand/json/values/read-number.ts';

test('numbers are read as the language of the page writes them', () => {
  const cases: [text: string, language: string, value: number | undefined][] = [
    ['1.299,00 €', 'de', 1299],
    ['$1,299.00', 'en', 1299],
    ['1 299,00 €', 'fr', 1299],
    ["CHF 1'299.50", 'de', 1299.5],
    ['1.299 €', 'en', 1299],
    ['1.299', 'en', 1.299],
    ['4,5 von 5', 'de', 4.5],
    ['(1,234 reviews)', 'en', 1234],
    ['79,- €', 'de', 79],
    ['−5 %', 'en', -5],
    ['v1.2.3', 'en', undefined],
    ['none', 'en', undefined],
  ];
  for (const [text, language, value] of cases) assert.equal(findNumber(text, language)?.value, value, text);
  assert.equal(findCount('1.2k views')?.value, 1200);
  assert.equal(findCount('12 kg')?.value, 12);
});

test('amounts of money are found with their currency', () => {
  assert.equal(findAmount('now only 1 299,00 € incl. VAT'), '1 299,00 €');
  assert.equal(findAmount('Tickets: $12.50 adv.'), '$12.50');
  assert.equal(findAmount('Room 12, floor 3'), undefined);
  assert.equal(findCurrency('12 Kč'), 'CZK');
  assert.equal(findCurrency('US$ 5'), 'USD');
  assert.equal(findCurrency('five'), undefined);
});

test('durations are minutes', () => {
  const cases: [string, number | undefined][] = [
    ['PT1H30M', 90],
    ['P0DT0H20M', 20],
    ['1 h 30 min', 90],
    ['1h30', 90],
    ['45 Minuten', 45],
    ['1 ½ Stunden', 90],
    ['2 hours', 120],
    ['soon', undefined],
  ];
  for (const [text, minutes] of cases) assert.equal(findMinutes(text), minutes, text);
});
