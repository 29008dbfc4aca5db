import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containsPhrase, eachPhrase } from '../../../../src/text/passages/find-phrase.ts';

const cases: [isFound: boolean, text: string, phrase: string][] = [
  [true, 'We love Rock ’n’ Roll!', "rock 'n' roll"],
  [true, 'rock-n-roll', "rock 'n' roll"],
  [true, 'one,\n two', 'One   Two'],
  [false, 'two one', 'one two'],
  [false, 'one and two', 'one two'],
  [false, 'concatenate', 'cat'],
  [false, 'cats', 'cat'],
  [false, 'the U.S. economy', 'u s economy'],
  [true, 'the U.S. economy', 'US economy'],
  [true, 'fruits, e.g. apples', 'e.g.'],
  [true, 'written in C++.', 'in C++'],
  [false, 'written in C.', 'in C++'],
  [false, 'cafe', 'café'],
  [true, 'CAFE\u0301', 'café'],
  [true, 'ＦＵＬＬ width', 'full WIDTH'],
  [true, '東京都庁', '京都'],
  [true, '東京 タワー', '東京タワー'],
  [true, 'ｱﾆﾒ', 'アニメ'],
  [true, 'これはReactの本', 'react の'],
  [true, 'ฉันรักภาษาไทยมาก', 'ภาษาไทย'],
  [true, '서울은 수도', '서울'],
  [true, 'a b a b a c', 'a b a c'],
  [false, '', 'a'],
  [true, 'x -> y', '->'],
  [false, 'x y', '->'],
  [true, 'anything', ''],
];

for (const [isFound, text, phrase] of cases) {
  test(`'${text}' ${isFound ? 'contains' : 'does not contain'} '${phrase}'`, () => {
    assert.equal(containsPhrase(text, phrase), isFound);
  });
}

test('every occurrence of a phrase is found, including overlapping ones', () => {
  const positions: [number, number][] = [];
  eachPhrase('ha ha, HA ho', 'ha ha', (start, end) => positions.push([start, end]));
  assert.deepEqual(positions, [
    [0, 5],
    [3, 9],
  ]);
});

test('a phrase that nearly matches everywhere is searched in a single pass', () => {
  assert.equal(containsPhrase('a '.repeat(200_000), `${'a '.repeat(2_000)}b`), false);
});
