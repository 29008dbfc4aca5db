// Known cases for the scores of the documents bench.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { score } from '../../../../bench/documents/pdf-score.ts';
import { editShare, ratio } from '../../../../bench/documents/similarity.ts';
import { treeDistance } from '../../../../bench/documents/tree-edit.ts';

test('the ratio counts what two texts have in common in the same order, at any length', () => {
  assert.equal(ratio('abcd', 'abcd'), 1);
  assert.equal(ratio('abcd', 'xyz'), 0);
  assert.equal(ratio('abcdef', 'abxdef'), 10 / 12);
  const [long, other] = ['ab'.repeat(500), 'ba'.repeat(500)];
  assert.equal(ratio(long, other), (2 * 999) / 2000);
});

test('the edit share is relative to the longer text', () => {
  assert.equal(editShare('kitten', 'sitting'), 3 / 7);
  assert.equal(editShare('', ''), 0);
});

test('the tree distance counts nodes that are added, removed or renamed', () => {
  interface Named {
    name: string;
    children: Named[];
  }
  const tree = (name: string, ...children: Named[]): Named => ({ name, children });
  const rename = (a: Named, b: Named) => (a.name === b.name ? 0 : 1);
  const a = tree('f', tree('d', tree('a'), tree('c', tree('b'))), tree('e'));
  const b = tree('f', tree('c', tree('d', tree('a'), tree('b'))), tree('e'));
  assert.equal(treeDistance(a, b, rename), 2);
  assert.equal(treeDistance(a, a, rename), 0);
});

test('a table in Markdown scores the same as the table in HTML', () => {
  const html = '<table><tr><td>Col1</td><td>Col2</td></tr><tr><td>A</td><td>B</td></tr></table>';
  const { teds, nid } = score(html, '| Col1 | **Col2** |\n| --- | --- |\n| A | B |');
  assert.deepEqual([teds, nid], [1, 1]);
});

test('a missing table scores zero, and an invented one is detected', () => {
  assert.equal(score('<table><tr><td>a</td></tr></table>', 'a').teds, 0);
  const { teds, truthHasTable, hasTable } = score('a b', '|a|b|\n|---|---|');
  assert.deepEqual([teds, truthHasTable, hasTable], [undefined, false, true]);
});

test('headings match at any level, and a text without headings scores zero', () => {
  assert.equal(score('# A\nx\n## B\ny', '### A\nx\n# B\ny').mhs, 1);
  assert.equal(score('# A\nx', 'A\nx').mhs, 0);
  assert.equal(score('x', '# A').mhs, undefined);
});
