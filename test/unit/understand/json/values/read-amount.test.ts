// Which of several numbers is meant: prices before and now, votes and stars, ends of ranges.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseAmount, countedPart, findScore } from '../../../../../src/understand/json/values/read-amount.ts';
import { endDay, endTime } from '../../../../../src/understand/json/values/read-range.ts';

test('of several prices, the words before them say which one counts now', () => {
  const text = 'Original price was: £48.00. £36.00 Current price is: £36.00.';
  assert.equal(chooseAmount(text, false), '£36.00');
  assert.equal(chooseAmount(text, true), '£48.00');
  assert.equal(chooseAmount('Sie sparen 5,00 € – jetzt 20,00 €', false), '20,00 €');
  assert.equal(chooseAmount('12,90 €', false), '12,90 €');
  assert.equal(chooseAmount('no money', false), undefined);
});

test('stars are no votes, and a counter of pictures is no score', () => {
  assert.equal(countedPart('Rated 4.65 out of 5 based on 23 customer ratings'), '23');
  assert.equal(countedPart('4.65'), undefined);
  assert.equal(countedPart('(212)'), '(212)');
  assert.equal(findScore('4,6 von 5 Sternen'), '4,6');
  assert.equal(findScore('4.5 ★'), '4.5');
  assert.equal(findScore('1 / 5'), undefined);
});

test('the end of a range is read only where there is a range', () => {
  assert.equal(endTime('10:00 am - 2:00 pm'), '14:00:00');
  assert.equal(endTime('10:00 am'), undefined);
  assert.equal(endDay('3 May 2026 – 5 May 2026', 'en'), '2026-05-05');
  assert.equal(endDay('3 May 2026', 'en'), undefined);
});
