// Markdown in units that can be read by themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { markdownUnits } from '../../../../src/understand/passages/markdown-units.ts';
import { runs, seedOr } from '../../../support/runs.ts';

const texts = (markdown: string) =>
  markdownUnits(markdown).units.map(({ start, end, kind }) => `${kind}: ${markdown.slice(start, end)}`);

test('sentences keep whole links and emphasis, list items and rows lose only their marker and outer bars', () => {
  const markdown = [
    '# The *Ferry*',
    '',
    '[The crossing. All of it.](https://a.example/x_(y).html "t. t") takes **25 minutes**. It runs daily.',
    '',
    '- [x] Done. Really',
    '  2. Second',
    '> Quoted.',
    '| A | B |',
    '| --- | :-: |',
    '| a \\| b | **c** |',
    '![only an image](i.png)',
    '***',
  ].join('\n');
  assert.deepEqual(texts(markdown), [
    'heading: The *Ferry*',
    'sentence: [The crossing. All of it.](https://a.example/x_(y).html "t. t") takes **25 minutes**.',
    'sentence: It runs daily.',
    'item: Done.',
    'item: Really',
    'item: Second',
    'item: Quoted.',
    'row: A | B',
    'row: a \\| b | **c**',
  ]);
});

test('a block of code is one unit, and a long one is cut at empty lines', () => {
  assert.deepEqual(texts('```sh\nls -l\n\n# all\nls -a\n```\nAfter.'), [
    'code: ls -l\n\n# all\nls -a',
    'sentence: After.',
  ]);
  const long = 'x = 1\n'.repeat(60);
  assert.equal(texts(`~~~\n${long}\n${long}~~~`).length, 2);
  assert.deepEqual(texts('```\nnever closed'), ['code: never closed']);
});

test('wrapped lines are one paragraph; short lines end where they end', () => {
  const markdown = 'This line of a text file is wrapped at its right margin\nand goes on. Next one.\nShort\nlines';
  assert.deepEqual(texts(markdown), [
    'sentence: This line of a text file is wrapped at its right margin\nand goes on.',
    'sentence: Next one.',
    'sentence: Short',
    'sentence: lines',
  ]);
});

test('scripts without spaces are split at their own full stops', () => {
  assert.deepEqual(texts('本店は十時に開きます。定休日は月曜日です。'), [
    'sentence: 本店は十時に開きます。',
    'sentence: 定休日は月曜日です。',
  ]);
});

test('what is too long for a sentence is cut at white space', () => {
  const parts = texts(`${'word '.repeat(1_000)}\n\n${'x'.repeat(2_000)}`);
  assert.ok(parts.length >= 5 && parts.every((part) => part.length < 1_600));
});

const SEED = seedOr(20_261_116);
test(`units are in order, do not overlap, and the plain text is as long as the source (seed ${SEED})`, () => {
  const piece = fc.constantFrom(
    '[',
    '](',
    ')',
    '**',
    '`',
    '```\n',
    '\n',
    '\n\n',
    '| ',
    ' |',
    '- ',
    '# ',
    '. ',
    'word',
    '。',
    '<a ',
    '>',
    '![',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const markdown = pieces.join('');
      const { plain, units } = markdownUnits(markdown);
      assert.equal(plain.length, markdown.length);
      let last = 0;
      for (const { start, end, kind } of units) {
        assert.ok(start >= last && end > start && end <= markdown.length);
        if (kind !== 'code') assert.equal(markdown.slice(start, end).trim(), markdown.slice(start, end));
        last = end;
      }
    }),
    { seed: SEED, numRuns: runs(500, 20_000) },
  );
});
