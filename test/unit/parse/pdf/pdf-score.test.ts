// The scores of the bench of documents: known cases of the measures they stand for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { score } from '../../../../bench/documents/pdf-score.ts';
import { editShare, ratio } from '../../../../bench/documents/similarity.ts';
import { treeDistance } from '../../../../bench/documents/tree-edit.ts';

test('the ratio counts what two texts have in common in the same order, however long they are', () => {
  assert.equal(ratio('abcd', 'abcd'), 1);
  assert.equal(ratio('abcd', 'xyz'), 0);
  assert.equal(ratio('abcdef', 'abxdef'), 10 / 12);
  const [long, other] = ['ab'.repeat(500), 'ba'.repeat(500)];
  assert.equal(ratio(long, other), (2 * 999) / 2000);
});

test('edits are counted by the longer text', () => {
  assert.equal(editShare('kitten', 'sitting'), 3 / 7);
  assert.equal(editShare('', ''), 0);
});

test('trees differ by the nodes that have to be added, left out or renamed', () => {
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

test('a table in Markdown equals the same in HTML', () => {
  const html = '<table><tr><td>Col1</td><td>Col2</td></tr><tr><td>A</td><td>B</td></tr></table>';
  const { teds, nid } = score(html, '| Col1 | **Col2** |\n| --- | --- |\n| A | B |');
  assert.deepEqual([teds, nid], [1, 1]);
});

test('a table that is missing scores nothing, and one that is invented is seen', () => {
  assert.equal(score('<table><tr><td>a</td></tr></table>', 'a').teds, 0);
  const { teds, truthHasTable, hasTable } = score('a b', '|a|b|\n|---|---|');
  assert.deepEqual([teds, truthHasTable, hasTable], [undefined, false, true]);
});

test('headings count whatever their level, and a text without any scores nothing', () => {
  assert.equal(score('# A\nx\n## B\ny', '### A\nx\n# B\ny').mhs, 1);
  assert.equal(score('# A\nx', 'A\nx').mhs, 0);
  assert.equal(score('x', '# A').mhs, undefined);
});
