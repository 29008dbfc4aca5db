import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdownTable } from '../../../src/markup/markdown-table.ts';

test('short rows are filled up, the head as well', () => {
  assert.equal(markdownTable([['a'], ['b', 'c'], []]), '| a |  |\n| --- | --- |\n| b | c |\n|  |  |');
});

test('columns are aligned by their rules', () => {
  assert.equal(markdownTable([['a', 'b', 'c']], [':---', '---:']), '| a | b | c |\n| :--- | ---: | --- |');
});

test('a cell stays one cell in one line, and a bar is escaped once', () => {
  const cell = (markdown: string) => markdownTable([[markdown]]).split('\n| --- |')[0];
  assert.equal(cell('a|b||c'), '| a\\|b\\|\\|c |');
  assert.equal(cell('a\\|b'), '| a\\|b |');
  assert.equal(cell('a\\\\|b'), '| a\\\\\\|b |', 'the backslash before the bar is itself escaped');
  assert.equal(cell('a\n\n  b'), '| a b |');
});
