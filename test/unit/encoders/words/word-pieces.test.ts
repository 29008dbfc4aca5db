// The tokenizer, with the vocabulary of the model: pieces as the model was trained with, positions in the original text.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { MODELS_FOLDER } from '../../../../src/encoders/model-runtime/checkout-models.ts';
import { WordPieces } from '../../../../src/encoders/words/word-pieces.ts';
import { runs, seedOr } from '../../../support/runs.ts';

const SEED = seedOr(20_261_116);
const vocabulary = readFileSync(join(MODELS_FOLDER, 'vocab.txt'), 'utf8');
const names = vocabulary.split('\n');
const pieces = new WordPieces(vocabulary);

/** Each word with its pieces. */
const split = (text: string) =>
  pieces.words(text).map(({ start, end, ids }) => [text.slice(start, end), ids.map((id) => names[id]).join(' ')]);

test('words are lower case without accents, with their places in the original', () => {
  assert.deepEqual(split('Zoë Straße'), [
    ['Zoë', 'zoe'],
    ['Straße', 'st ##raße'],
  ]);
  assert.deepEqual(split('Unaffordable'), [['Unaffordable', 'una ##ff ##ord ##able']]);
});

test('punctuation and Han characters are words of their own', () => {
  assert.deepEqual(
    split("O'Neil (3€) 東京").map(([word]) => word),
    ['O', "'", 'Neil', '(', '3€', ')', '東', '京'],
  );
});

test('accents as marks of their own, invisible characters and astral letters keep the positions right', () => {
  assert.deepEqual(split('Jose\u0301 Mu\u00adn\u0303oz'), [
    ['Jose', 'jose'],
    ['Mu\u00adn\u0303oz', 'munoz'],
  ]);
  const [first, second] = pieces.words('\ufeff\u200bAnna \u{1d400}da');
  assert.deepEqual([first!.start, first!.end], [2, 6]);
  assert.deepEqual([second!.start, second!.end], [7, 11]);
});

test('what the vocabulary lacks is one unknown piece, however long the word', () => {
  assert.deepEqual(split('\u{1f9ff}'), [['\u{1f9ff}', '[UNK]']]);
  assert.deepEqual(split('a'.repeat(101)), [['a'.repeat(101), '[UNK]']]);
  assert.equal(pieces.words('a'.repeat(100)).length, 1);
  assert.notEqual(pieces.words('a'.repeat(100))[0]!.ids[0], 100);
});

test(`any text gives words in order, inside the text, each with a piece (seed ${SEED})`, () => {
  const anyText = fc.string({
    unit: fc.oneof(
      fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
      fc.constantFrom(' ', '\n', 'é', '\ud800', '\u0301', '.'),
    ),
  });
  fc.assert(
    fc.property(anyText, (text) => {
      let before = 0;
      for (const { start, end, ids } of pieces.words(text)) {
        assert(start >= before && end > start && end <= text.length && ids.length > 0 && ids.length <= 100);
        assert(ids.every((id) => Number.isInteger(id) && id >= 0 && id < names.length));
        before = end;
      }
    }),
    { seed: SEED, numRuns: runs(500, 20_000) },
  );
});
