// What counts as a change of a page, and how it is shown.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareTexts } from '../../../../src/understand/changes/compare-texts.ts';
import { compareVersions } from '../../../../src/understand/changes/compare-versions.ts';
import { toCompare } from '../../../../src/understand/changes/compared-text.ts';

const compare = (before: string, after: string) => compareTexts(toCompare(before), after, { wantsDiff: true });

const SAME: Record<string, [string, string]> = {
  'white space': ['# Tides\n\nHigh  water at noon. ', '#  Tides\n\n\nHigh water\tat noon.'],
  'line endings': ['one\ntwo\nthree', 'one\r\ntwo\rthree'],
  'where lines break': ['High water at noon.', 'High water\nat noon.'],
  'invisible characters': ['soft hy\u00adphen\u200b', 'soft hyphen'],
  'embedded frames': ['Text\n\n[iframe](https://ads.test/1)', 'Text\n\n[iframe](https://ads.test/2?x=1)'],
  'inline images': ['![a](data:image/png;base64,AAAA)', '![a](<Base64-Image-Removed>)'],
  'tracking parameters': [
    '[a](https://s.test/?utm_source=x&id=1) [b](https://s.test/b?gclid=1)',
    '[a](https://s.test/?id=1&fbclid=2) [b](https://s.test/b)',
  ],
};

describe('not a change', () => {
  for (const [what, [before, after]] of Object.entries(SAME)) {
    test(what, () => assert.deepEqual(compare(before, after).isSame, true));
  }
});

const CHANGED: Record<string, [string, string]> = {
  'a word': ['High water at noon.', 'Low water at noon.'],
  'the order of lines': ['one\ntwo', 'two\none'],
  'a parameter that selects the page': ['[a](https://s.test/?id=1)', '[a](https://s.test/?id=2)'],
  'the address of an image': ['![a](https://s.test/1.png)', '![a](https://s.test/2.png)'],
  'a line more': ['one', 'one\ntwo'],
  'nothing left': ['one', ''],
};

describe('a change', () => {
  for (const [what, [before, after]] of Object.entries(CHANGED)) {
    test(what, () => assert.deepEqual(compare(before, after).isSame, false));
  }
});

test('the diff shows changed lines with three around them, by the lines of both Markdowns', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  const changed = lines.with(9, 'another').toSpliced(17, 1);
  const { diff } = compare(lines.join('\n'), changed.join('\n'));
  assert.equal(
    diff?.text,
    `--- previous
+++ current
@@ -7,7 +7,7 @@
 line 7
 line 8
 line 9
-line 10
+another
 line 11
 line 12
 line 13
@@ -15,6 +15,5 @@
 line 15
 line 16
 line 17
-line 18
 line 19
 line 20
`,
  );
  const [file] = diff!.json.files;
  assert.deepEqual([file?.from, file?.to], ['previous', 'current']);
  assert.deepEqual(file?.chunks[0]?.changes.slice(2, 6), [
    { type: 'normal', normal: true, ln1: 9, ln2: 9, content: ' line 9' },
    { type: 'del', del: true, ln: 10, content: '-line 10' },
    { type: 'add', add: true, ln: 10, content: '+another' },
    { type: 'normal', normal: true, ln1: 11, ln2: 11, content: ' line 11' },
  ]);
});

test('lines that count as unchanged are not part of the diff', () => {
  const { diff } = compare('a  b\n[x](https://s.test/?utm_id=1)\nold', 'a b\n[x](https://s.test/)\nnew');
  assert.equal(diff?.text, '--- previous\n+++ current\n@@ -1,3 +1,3 @@\n a b\n [x](https://s.test/)\n-old\n+new\n');
});

test('without an earlier version, or without the wish, there is no diff', () => {
  assert.deepEqual(compareTexts(undefined, 'text', { wantsDiff: true }), {
    toKeep: { markdown: 'text' },
    isSame: false,
  });
  assert.equal(compareTexts({ markdown: 'a' }, 'b', { wantsDiff: false }).diff, undefined);
});

describe('very long pages', () => {
  const lines = (word: string, count = 150_000) => Array.from({ length: count }, (_, index) => `${word} ${index}`);

  test('are stored in part, and a change beyond that part is found', () => {
    const long = lines('line');
    const { toKeep } = compareTexts(undefined, long.join('\n'), { wantsDiff: false });
    assert.equal(toKeep.markdown.split('\n').length, 100_000);
    assert.equal(compareTexts(toKeep, long.join('\n\n'), { wantsDiff: true }).isSame, true);
    const { isSame, isCut } = compareTexts(toKeep, long.with(149_999, 'changed').join('\n'), { wantsDiff: true });
    assert.deepEqual([isSame, isCut], [false, true]);
  });

  test('with nothing in common have a diff that says it is cut', () => {
    const { diff, isCut } = compare(lines('old', 90_000).join('\n'), lines('new', 90_000).join('\n'));
    assert.equal(isCut, true);
    assert.ok(diff!.text.length < 600_000, `${diff!.text.length} characters`);
  });

  test('of very short lines have a diff of a limited number of lines, for monitors as well', () => {
    const [before, after] = ['a\n', 'b\n'].map((line) => line.repeat(60_000)) as [string, string];
    const { diff, isCut } = compare(before, after);
    assert.equal(isCut, true);
    const shown = diff!.json.files[0]!.chunks.flatMap(({ changes }) => changes).length;
    assert.ok(shown <= 10_001, `${shown} lines`);
    const earlier = { text: toCompare(before), readAt: 0 };
    const watched = compareVersions(
      earlier,
      { markdown: after, readAt: 1 },
      { by: { text: true, data: false }, isJudged: false },
    );
    assert.deepEqual([watched.diff, watched.isCut], [diff, true]);
  });

  test('a line of a megabyte is cut in the diff', () => {
    const { diff, isCut } = compare('x'.repeat(1_000_000), 'y'.repeat(1_000_000));
    assert.equal(isCut, true);
    assert.ok(diff!.text.length < 30_000);
  });

  test('hostile lines take linear time', () => {
    for (const piece of ['[iframe](', '](data:', '](?a=b', '](?', '&utm_a=', '\u200b ']) {
      assert.equal(compare(piece.repeat(1_900_000 / piece.length), 'x').isSame, false);
    }
  });
});
