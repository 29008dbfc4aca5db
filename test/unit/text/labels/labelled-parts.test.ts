// Labels in a line of text and what each of them says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelledParts } from '../../../../src/text/labels/labelled-parts.ts';

const parts = (line: string) => labelledParts(line).map(({ label, start, end }) => [label, line.slice(start, end)]);

test('a label and its value are found, also among others in one line', () => {
  assert.deepEqual(parts('Attendance: 4,812. Referee: Kim Bolt. The match was played in rain.'), [
    ['Attendance', '4,812'],
    ['Referee', 'Kim Bolt'],
  ]);
  assert.deepEqual(parts('Total spending: $48,310,000 Streets and parks: $8,240,000 Libraries: $2,115,000'), [
    ['Total spending', '$48,310,000'],
    ['Streets and parks', '$8,240,000'],
    ['Libraries', '$2,115,000'],
  ]);
  assert.deepEqual(parts('Prep time: 40 minutes Cook time: 45 minutes'), [
    ['Prep time', '40 minutes'],
    ['Cook time', '45 minutes'],
  ]);
  assert.deepEqual(parts('Ann | Date: 3 March | Views: 3'), [
    ['Date', '3 March'],
    ['Views', '3'],
  ]);
  assert.deepEqual(parts('价格：20元'), [['价格', '20元']]);
});

test('a colon inside a value is no label', () => {
  assert.deepEqual(parts('Open: Mon to Fri 9:00 to 17:00'), [['Open', 'Mon to Fri 9:00 to 17:00']]);
  assert.deepEqual(parts('See http://a.test/ or 10:30'), []);
  assert.deepEqual(parts('Company: Acme Inc. of Berlin'), [['Company', 'Acme Inc. of Berlin']]);
});

test('long texts take time in proportion to their length', () => {
  for (const text of ['a: '.repeat(600), 'Aa '.repeat(600), '1 A'.repeat(600), `${'a, '.repeat(600)}: x`]) {
    assert.ok(labelledParts(text).length <= 600);
  }
  assert.deepEqual(labelledParts('a: '.repeat(100_000)), []);
});
