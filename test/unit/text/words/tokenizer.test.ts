import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachWord, isWordBorder, wordsOf } from '../../../../src/text/words/tokenizer.ts';

const positionsOf = (text: string) => {
  const positions: [string, number, number][] = [];
  eachWord(text, (word, start, end) => positions.push([word, start, end]));
  return positions;
};

const cases: [what: string, text: string, words: string[]][] = [
  ['case and punctuation are ignored', 'Hello, WORLD! (again)', ['hello', 'world', 'again']],
  [
    'hyphens and underscores separate words',
    'state-of-the-art snake_case',
    ['state', 'of', 'the', 'art', 'snake', 'case'],
  ],
  ['camel case does not separate words', 'camelCase HTTPServer', ['camelcase', 'httpserver']],
  ['apostrophes separate words', "don't l’été O'Reilly", ['don', 't', 'l', 'été', 'o', 'reilly']],
  [
    'breathing marks are dropped, and every kind of apostrophe separates words',
    'Hawaiʻi Qurʾan donʼt',
    ['hawaii', 'quran', 'don', 't'],
  ],
  ['letters and digits stay together', 'h2o covid19 3d', ['h2o', 'covid19', '3d']],
  [
    'dots separate names and numbers',
    'node.js 3.14 www.example.org',
    ['node', 'js', '3', '14', 'www', 'example', 'org'],
  ],
  ['email addresses are split into their parts', 'user@host.example', ['user', 'host', 'example']],
  ['names with signs stay whole', 'C++ and C#, F#; g++', ['c++', 'and', 'c#', 'f#', 'g++']],
  ['the sign ends the name', 'C++11 C#7', ['c++', '11', 'c#', '7']],
  ['other signs are dropped', 'title# a+b 5++ c#sharp', ['title', 'a', 'b', '5', 'c', 'sharp']],
  ['.NET is a name, but not in a host', 'the .NET runtime, example.net', ['the', '.net', 'runtime', 'example', 'net']],
  ['initials are one word', 'the U.S. and U.S.A, e.g. a.m.', ['the', 'us', 'and', 'usa', 'eg', 'am']],
  ['a full stop does not make initials', 'Plan B. Then a.bc', ['plan', 'b', 'then', 'a', 'bc']],
  ['width and ligatures are normalised', 'ＦＵＬＬ ﬁne ｶﾞ', ['full', 'fine', 'ガ']],
  ['combining accents are composed', 'e\u0301te\u0301', ['été']],
  ['letters of every script are lower-cased', 'ΟΔΟΣ οδός İstanbul МОСКВА', ['οδοσ', 'οδόσ', 'istanbul', 'москва']],
  [
    'invisible characters are dropped',
    'soft\u00adhyphen zero\u200bwidth \u200b می\u200cخواهم',
    ['softhyphen', 'zerowidth', 'میخواهم'],
  ],
  [
    'scripts without spaces are runs of their own',
    'iPhone手机2024年 東京タワー',
    ['iphone', '手机', '2024', '年', '東京タワー'],
  ],
  ['emoji and lone surrogates are not words', 'a\ud800b 😀 \udc00', ['a', 'b']],
  ['a NUL separates words', 'a\u0000b', ['a', 'b']],
  ['letters beyond the first plane are letters', '𝐁old 𠮷野家', ['bold', '𠮷野家']],
  ['a fraction is neither a word nor part of one', '½ 5½', ['5']],
];

for (const [what, text, words] of cases) {
  test(`words: ${what}`, () => assert.deepEqual(wordsOf(text), words));
}

test('words come with their positions', () => {
  assert.deepEqual(positionsOf('Ab, C++ été U.S. 東京'), [
    ['ab', 0, 2],
    ['c++', 4, 7],
    ['été', 8, 11],
    ['us', 12, 15],
    ['東京', 17, 19],
  ]);
});

test('a very long word is cut, not dropped, and keeps its end position', () => {
  const [only, ...others] = positionsOf(`${'x'.repeat(100_000)} y`);
  assert.deepEqual(only, ['x'.repeat(64), 0, 100_000]);
  assert.deepEqual(others, [['y', 100_001, 100_002]]);
  assert.equal(wordsOf('ж'.repeat(100_000))[0], 'ж'.repeat(64));
});

test('no character of a text without spaces is lost', () => {
  const text = '東京都庁舎'.repeat(1_000);
  assert.equal(wordsOf(text).join(''), text);
});

test('there is no word border inside a word, before a combining mark or inside a surrogate pair', () => {
  assert.equal(isWordBorder('ab cd', 1), false);
  assert.equal(isWordBorder('ab cd', 2), true);
  assert.equal(isWordBorder('ab cd', 3), true);
  assert.equal(isWordBorder('東京', 1), true);
  assert.equal(isWordBorder('กิน', 1), false);
  assert.equal(isWordBorder('e\u0301', 1), false);
  assert.equal(isWordBorder('😀', 1), false);
});
