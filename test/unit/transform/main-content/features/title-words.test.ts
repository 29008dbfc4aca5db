// The fast comparison has to agree with a plain one in every script.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TitleWords } from '../../../../../src/transform/main-content/features/title-words.ts';
import { runs, seedOr } from '../../../../support/runs.ts';
import { createDice } from '../../../../support/web/words.ts';

const SEED = seedOr(20_261_116);
// Letters whose lower case has another length, marks that end a word, scripts without a table, and pairs of surrogates.
const ALPHABET = [...'abcABC019 _-.éÉßİIſKΣςжЖא中日한𝒜😀\u0301\u200b\n'];

function plainOverlap(title: string, text: string): number {
  const wordsOf = (written: string): string[] => written.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const wanted = new Set(wordsOf(title));
  const words = wordsOf(text);
  const shared = words.filter((word) => wanted.has(word)).length;
  return words.length === 0 ? 0 : shared / Math.max(words.length, wanted.size);
}

test(`the overlap with the title is that of the words in lower case (seed ${SEED})`, () => {
  const dice = createDice(SEED);
  const text = (length: number) => Array.from({ length: dice.roll(length) }, () => dice.pick(ALPHABET)).join('');
  for (let run = 0; run < runs(2_000, 100_000); run++) {
    const title = text(30);
    const block = text(60);
    assert.equal(new TitleWords(title).overlap(block), plainOverlap(title, block), JSON.stringify([title, block]));
  }
});

test('a headline shares its words with the title, a label does not', () => {
  const title = new TitleWords('The Harbour in Winter | The Small News');
  assert.equal(title.size, 6);
  assert.equal(title.overlap('The harbour in winter'), 4 / 6);
  assert.equal(title.overlap('Read more'), 0);
  assert.equal(title.overlap(''), 0);
});
