import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { containsPhrase } from '../../src/text/passages/find-phrase.ts';
import { bestPassage } from '../../src/text/passages/passages.ts';
import { guessLanguage } from '../../src/text/words/language.ts';
import { eachTerm, queryWords } from '../../src/text/words/terms.ts';
import { eachWord, wordsOf } from '../../src/text/words/tokenizer.ts';
import { amount, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_261_115);
const LONG = amount({ short: 20_000, full: 200_000 });
const options = { seed: SEED, numRuns: amount({ short: 400, full: 1_000, long: 40_000 }) };

const PIECES = (
  "the of running universities C++ c# .NET U.S. e.g. don't l’été node.js 3.14 snake_case Straße İstanbul ΟΔΟΣ Москва́ ёлка हिंदी " +
  'المدرسة ٢٠٢٤ 東京都 タワー ｱﾆﾒ 서울은 ภาษาไทย ខ្មែរ ﬁne ½ m² 𝐁old 𠮷野家 😀 ﷺ ㈠ \u0301 a\u0301 so\u00adft z\u200bw \ud800 \udc00 \u0000 \n . ! ? 。 | … ++ # - _'
).split(' ');
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...PIECES),
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom('', ' ', ' ', '\n'),
    ),
    {
      maxLength: 60,
    },
  )
  .map((parts) => parts.join(''));
const language = fc.constantFrom('', 'en', 'de', 'vi', 'tr', 'ru', 'ja', 'th', 'xx');
/** Some terms end with a marker character. */
const IN_TERMS = /^[\p{L}\p{N}\p{M}]+[\ue006\ue007]?$/u;

const termsOf = (of: string, by: string) => {
  const terms: [string, number, number][] = [];
  eachTerm(of, by, (...term) => terms.push(term));
  return terms;
};

test('words come in order, and the text at the position of a word is that word', () => {
  fc.assert(
    fc.property(text, (of) => {
      let last = 0;
      eachWord(of, (word, start, end) => {
        assert.ok(start >= last && end > start && end <= of.length && word !== '');
        // `.net` and `c#` are words only in their context, so they are not checked alone.
        if (!/^(?:\.net|.#)$/.test(word)) assert.deepEqual(wordsOf(of.slice(start, end)), [word]);
        assert.ok(word.length <= 64 || !/[a-z]/.test(word));
        last = end;
      });
    }),
    options,
  );
});

test('terms consist of letters, digits and marks of the basic plane and lie inside the text', () => {
  fc.assert(
    fc.property(text, language, (of, by) => {
      for (const [term, start, end] of termsOf(of, by)) {
        assert.match(term, IN_TERMS);
        assert.doesNotMatch(term, /[\ud800-\udfff]/);
        assert.ok(start >= 0 && end > start && end <= of.length);
      }
    }),
    options,
  );
});

test('a query has, word for word, the terms of the same text in any language', () => {
  fc.assert(
    fc.property(text, language, (of, by) => {
      const terms = termsOf(of, by);
      const words = queryWords(of);
      assert.equal(words.length, terms.length);
      for (const [at, [term]] of terms.entries())
        assert.ok(words[at]!.forms.includes(term), `${term} of ${words[at]!.text}`);
      for (const { forms } of words) assert.equal(new Set(forms).size, forms.length);
    }),
    options,
  );
});

test('a text contains every sequence of its own words, and no other phrase', () => {
  const plain = fc.array(fc.constantFrom('a', 'b', 'ab', 'C++', 'é', 'я'), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(plain, plain, fc.nat(), fc.nat(), (words, others, from, count) => {
      const start = from % words.length;
      assert.ok(containsPhrase(words.join(' '), words.slice(start, start + 1 + (count % words.length)).join(', ')));
      const isThere = ` ${words.join(' ')} `.includes(` ${others.join(' ')} `);
      assert.equal(containsPhrase(words.join('\n'), others.join(' - ')), isThere);
    }),
    options,
  );
});

test('a passage is at most two verbatim parts of the text, within the length limit and without cut characters', () => {
  fc.assert(
    fc.property(text, text, language, fc.integer({ min: 0, max: 120 }), (of, query, by, maxLength) => {
      const found = bestPassage(of, by, { words: queryWords(query), phrases: [query.slice(0, 9)] }, maxLength);
      if (found === undefined) return;
      assert.ok(found.length <= maxLength && found !== '');
      const isVerbatim =
        of.includes(found) || partings(found).some((parts) => parts.every((part) => of.includes(part)));
      assert.ok(isVerbatim, found);
    }),
    options,
  );
});

const partings = (found: string) =>
  Array.from(found.matchAll(/ … /g), ({ index }) => [found.slice(0, index), found.slice(index + 3)]);

test('every word of a text has a passage that contains it', () => {
  const word = fc.constantFrom<string>('zebra', 'Straße', '東京', 'Москва', 'C++');
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom<string>('one', 'two.', 'three\n', 'four,', '。'), { maxLength: 80 }),
      fc.nat(),
      word,
      (others, at, wanted) => {
        const words = others.toSpliced(at % (others.length + 1), 0, wanted);
        const found = bestPassage(words.join(' '), 'de', { words: queryWords(wanted), phrases: [] }, 60);
        assert.ok(found?.includes(wanted), found);
      },
    ),
    options,
  );
});

test('a language is two letters or empty, whatever the text and its declared language', () => {
  fc.assert(
    fc.property(text, fc.option(fc.oneof(text, fc.constantFrom('de-AT', 'zh_TW', 'x-y', 'en-'))), (of, declared) => {
      assert.match(guessLanguage(of, declared ?? undefined), /^(?:[a-z]{2})?$/);
    }),
    options,
  );
});

test('no text, however odd, produces more words, terms or calls than it has characters', () => {
  const hostile = [
    'a',
    'a.',
    '+',
    'c++',
    '.',
    '. A',
    '1. ',
    '\u0301',
    '\u200b',
    'a\u200b',
    '\u00ad',
    '東',
    'ก',
    '가',
    'ا',
    '😀',
    '\ud800',
    '\n',
    '"',
    '½',
    'ﷺ',
    "'",
  ];
  for (const piece of hostile) {
    const long = piece.repeat(Math.ceil(LONG / piece.length));
    let words = 0;
    let terms = 0;
    eachWord(long, () => {
      words += 1;
    });
    eachTerm(long, '', () => {
      terms += 1;
    });
    assert.ok(words <= long.length && terms <= 2 * long.length, piece);
    bestPassage(long, '', { words: queryWords(piece.repeat(20)), phrases: [piece.repeat(20)] });
    containsPhrase(long, `${piece.repeat(50)}b`);
    guessLanguage(long, long);
  }
});
