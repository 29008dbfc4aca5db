// Tables: columns line up, and the widest ones give way on a narrow terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsText, tableText } from '../../../../src/cli/tables/table.ts';

const ROWS = [
  ['ID', 'URL', 'ERROR'],
  ['1', 'https://example.com/a/rather/long/path', 'It could not\nbe read.'],
  ['22', 'https://example.com/', null],
];

test('columns line up, and a cell has one line', () => {
  assert.equal(
    tableText(ROWS),
    [
      'ID  URL                                     ERROR',
      '1   https://example.com/a/rather/long/path  It could not be read.',
      '22  https://example.com/',
    ].join('\n'),
  );
});

test('on a terminal no line is wider than it, as long as columns stay readable', () => {
  for (const line of tableText(ROWS, 40).split('\n')) assert.ok([...line].length <= 40, line);
  assert.match(tableText(ROWS, 40), /…/);
  assert.doesNotThrow(() => tableText(ROWS, 3));
  assert.equal(tableText([], 80), '');
});

test('facts that are not known are left out', () => {
  assert.equal(factsText({ id: '1', 'next check': null, pages: 0, goal: undefined, error: '' }), 'id     1\npages  0');
});

test('a list may have any number of rows', () => {
  assert.equal(tableText(Array.from({ length: 200_000 }, () => ['a'])).length, 399_999);
});
