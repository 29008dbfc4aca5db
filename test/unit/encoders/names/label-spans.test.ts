// From text to parts and features, and from scores to spans: what stands around the model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LABELS, labelSpans } from '../../../../src/encoders/names/label-spans.ts';
import { canHoldName, withoutNameless } from '../../../../src/encoders/names/nameless-sentences.ts';
import { plausibleSpans } from '../../../../src/encoders/names/plausible-spans.ts';
import { textChunks } from '../../../../src/encoders/names/text-chunks.ts';
import { cutParts } from '../../../../src/encoders/names/text-parts.ts';
import { gapBetween, shapeOf } from '../../../../src/encoders/words/word-features.ts';
import type { TokenizedWord } from '../../../../src/encoders/words/word-pieces.ts';

/** Words at white space and before punctuation, one piece each. */
const wordsOf = (text: string): TokenizedWord[] =>
  [...text.matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)].map(({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
    ids: [7],
  }));
const shown = (text: string, parts: TokenizedWord[][]) =>
  parts.map((part) => text.slice(part[0]!.start, part.at(-1)!.end));

test('shapes and gaps have the numbers that the model was trained with', () => {
  const words = ['anna', 'Anna', 'ANNA', 'A', 'McKay', '2024', 'B2B', '-', '東'];
  assert.deepEqual(words.map(shapeOf), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const text = 'ab c\nd\n\ne';
  assert.deepEqual(
    [gapBetween(text, 1, 1), gapBetween(text, 2, 3), gapBetween(text, 4, 5), gapBetween(text, 6, 8)],
    [0, 1, 2, 3],
  );
});

test('parts end at empty lines before lines, at lines before sentences, and nowhere else if they can', () => {
  const cut = (text: string) => shown(text, cutParts(text, wordsOf(text), 10));
  assert.deepEqual(cut('a b c d e.\n\nf g\nh i j k l'), ['a b c d e.', 'f g\nh i j k l']);
  assert.deepEqual(cut('a b c d e. f\ng h i j k l'), ['a b c d e. f', 'g h i j k l']);
  assert.deepEqual(cut('a b c d e. f g h i j k l'), ['a b c d e.', 'f g h i j k l']);
  assert.deepEqual(cut('a b c d e f g h i j k l'), ['a b c d e f g h i j', 'k l']);
});

test('pieces of long texts are cut between paragraphs, and never inside a character', () => {
  const cut = (text: string) => [...textChunks(text, 10)].map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(cut('aaa bbb\n\nccc ddd'), ['aaa bbb\n\n', 'ccc ddd']);
  assert.deepEqual(cut(`a${'\u{1f600}'.repeat(6)}`), [`a${'\u{1f600}'.repeat(4)}`, '\u{1f600}'.repeat(2)]);
  assert.deepEqual(cut(''), []);
});

test('a long sentence without capitals and digits is not read, unless it begins with an unusual word', () => {
  assert.equal(canHoldName('The server restarts when nobody asks for anything.'), false);
  assert.equal(canHoldName('Greta restarts the server when nobody asks.'), true);
  assert.equal(canHoldName('The server in Oslo restarts when nobody asks.'), true);
  assert.equal(canHoldName('the flat is at 12 main street.'), true);
  assert.equal(canHoldName('田中さんは東京に住んでいます'), true);
  const text = 'greta\n\nThe server restarts when nobody asks for anything. He met Greta in the evening there.';
  const kept = withoutNameless(text, wordsOf(text)).map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(kept, ['greta', 'He', 'met', 'Greta', 'in', 'the', 'evening', 'there', '.']);
});

test('words of one type become one span, unless a new name begins; a bias on "outside" finds more', () => {
  const text = 'Anna Berg Oslo x';
  const words = wordsOf(text);
  // O, B-PER, I-PER, B-LOC, I-LOC, B-ORG, I-ORG; first and last are the marks of the part.
  const rows = [
    [9, 0, 0, 0, 0, 0, 0],
    [0, 9, 0, 0, 0, 0, 0],
    [0, 0, 9, 0, 0, 0, 0],
    [0, 0, 0, 9, 0, 0, 0],
    [2, 1, 0, 0, 0, 0, 0],
    [9, 0, 0, 0, 0, 0, 0],
  ];
  const found = (scores: number[][], bias = 0) =>
    labelSpans(text, words, Float32Array.from(scores.flat()), bias).map(({ start, end, type }) => [
      text.slice(start, end),
      type,
    ]);
  assert.equal(rows[0]!.length, LABELS);
  assert.deepEqual(found(rows), [
    ['Anna Berg', 'PERSON'],
    ['Oslo', 'LOCATION'],
  ]);
  assert.deepEqual(found(rows, 2).at(-1), ['x', 'PERSON']);
  const twoNames = rows.with(2, [0, 9, 0, 0, 0, 0, 0]);
  assert.deepEqual(found(twoNames).slice(0, 2), [
    ['Anna', 'PERSON'],
    ['Berg', 'PERSON'],
  ]);
});

test('codes and labels are no places, and at the beginning of a line the model has to be sure', () => {
  const found = (text: string, score: number, isEager = false) => {
    const [start, end] = [text.indexOf('['), text.indexOf(']') - 1];
    const plain = text.replace(/[[\]]/g, '');
    const spans = plausibleSpans(plain, [{ start, end, type: 'LOCATION', score }], { isEager });
    return spans.map((span) => plain.slice(span.start, span.end));
  };
  assert.deepEqual(found('born in [Oslo, ]long ago', 0.5), ['Oslo']);
  assert.deepEqual(found('born in [USA]', 0.5), ['USA']);
  assert.deepEqual(found('| in [WOLVERHAMPTON] |', 0.5), ['WOLVERHAMPTON']);
  for (const code of ['the [IBAN] is', 'article [7006-65, EAN 4038134798780]', 'chassis [bastidor CY-3947].']) {
    assert.deepEqual(found(code, 0.99), [], code);
  }
  assert.deepEqual(found('| [Nuovo] | Q.ty |', 0.6), []);
  assert.deepEqual(found('| [Nuovo] | Q.ty |', 0.6, true), ['Nuovo']);
  assert.deepEqual(found('**[Oslo]**, Monday', 0.8), ['Oslo']);
});
