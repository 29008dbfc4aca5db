import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachWord, isWordBorder, wordsOf } from '../../../src/text/tokenizer.ts';

const placesOf = (text: string) => {
  const places: [string, number, number][] = [];
  eachWord(text, (word, start, end) => places.push([word, start, end]));
  return places;
};

const cases: [what: string, text: string, words: string[]][] = [
  ['case and punctuation do not count', 'Hello, WORLD! (again)', ['hello', 'world', 'again']],
  ['hyphens and underscores part words', 'state-of-the-art snake_case', ['state', 'of', 'the', 'art', 'snake', 'case']],
  ['humps do not', 'camelCase HTTPServer', ['camelcase', 'httpserver']],
  ['apostrophes part words', "don't l’été O'Reilly", ['don', 't', 'l', 'été', 'o', 'reilly']],
  [
    'breaths are no letters, and an apostrophe is none however it is written',
    'Hawaiʻi Qurʾan donʼt',
    ['hawaii', 'quran', 'don', 't'],
  ],
  ['letters and digits go together', 'h2o covid19 3d', ['h2o', 'covid19', '3d']],
  ['dots part names and numbers', 'node.js 3.14 www.example.org', ['node', 'js', '3', '14', 'www', 'example', 'org']],
  ['addresses fall into their parts', 'user@host.example', ['user', 'host', 'example']],
  ['names with signs stay whole', 'C++ and C#, F#; g++', ['c++', 'and', 'c#', 'f#', 'g++']],
  ['the sign ends the name', 'C++11 C#7', ['c++', '11', 'c#', '7']],
  ['a sign that belongs to no name is none', 'title# a+b 5++ c#sharp', ['title', 'a', 'b', '5', 'c', 'sharp']],
  ['.NET is a name, but not in a host', 'the .NET runtime, example.net', ['the', '.net', 'runtime', 'example', 'net']],
  ['initials are one word', 'the U.S. and U.S.A, e.g. a.m.', ['the', 'us', 'and', 'usa', 'eg', 'am']],
  ['a full stop does not make initials', 'Plan B. Then a.bc', ['plan', 'b', 'then', 'a', 'bc']],
  ['width and ligatures do not count', 'ＦＵＬＬ ﬁne ｶﾞ', ['full', 'fine', 'ガ']],
  ['accents may be written apart', 'e\u0301te\u0301', ['été']],
  ['small letters of every script', 'ΟΔΟΣ οδός İstanbul МОСКВА', ['οδοσ', 'οδόσ', 'istanbul', 'москва']],
  [
    'what nobody sees is not there',
    'soft\u00adhyphen zero\u200bwidth \u200b می\u200cخواهم',
    ['softhyphen', 'zerowidth', 'میخواهم'],
  ],
  [
    'scripts without spaces are runs of their own',
    'iPhone手机2024年 東京タワー',
    ['iphone', '手机', '2024', '年', '東京タワー'],
  ],
  ['neither emoji nor halves of characters are words', 'a\ud800b 😀 \udc00', ['a', 'b']],
  ['a NUL parts words', 'a\u0000b', ['a', 'b']],
  ['letters beyond the first plane are letters', '𝐁old 𠮷野家', ['bold', '𠮷野家']],
  ['a fraction is no word, nor a part of one', '½ 5½', ['5']],
];

for (const [what, text, words] of cases) {
  test(`words: ${what}`, () => assert.deepEqual(wordsOf(text), words));
}

test('words come with the places where they stand', () => {
  assert.deepEqual(placesOf('Ab, C++ été U.S. 東京'), [
    ['ab', 0, 2],
    ['c++', 4, 7],
    ['été', 8, 11],
    ['us', 12, 15],
    ['東京', 17, 19],
  ]);
});

test('a very long word is cut, not dropped, and ends where it ends', () => {
  const [only, ...others] = placesOf(`${'x'.repeat(100_000)} y`);
  assert.deepEqual(only, ['x'.repeat(64), 0, 100_000]);
  assert.deepEqual(others, [['y', 100_001, 100_002]]);
  assert.equal(wordsOf('ж'.repeat(100_000))[0], 'ж'.repeat(64));
});

test('nothing of a text without spaces is lost', () => {
  const text = '東京都庁舎'.repeat(1_000);
  assert.equal(wordsOf(text).join(''), text);
});

test('a cut before a mark, a letter of the same word or half of a character is no border', () => {
  assert.equal(isWordBorder('ab cd', 1), false);
  assert.equal(isWordBorder('ab cd', 2), true);
  assert.equal(isWordBorder('ab cd', 3), true);
  assert.equal(isWordBorder('東京', 1), true);
  assert.equal(isWordBorder('กิน', 1), false);
  assert.equal(isWordBorder('e\u0301', 1), false);
  assert.equal(isWordBorder('😀', 1), false);
});
