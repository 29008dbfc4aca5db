// A query as it stands in a search box: its conditions, where they stand, and whether its last word is finished.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTypedQuery, withoutCondition } from '../../../../src/search/query/typed-query.ts';

test('conditions are what leaves out pages, with their places in the clean text', () => {
  const typed = readTypedQuery(' seals  -site:a.example “grey seal” allintitle:two  words -"no way" filetype:pdf ');
  assert.deepEqual(
    typed.conditions.map(({ kind, text }) => `${kind} ${text}`),
    [
      'site -site:a.example',
      'phrase "grey seal"',
      'allintitle allintitle:two words',
      'phrase -"no way"',
      'filetype filetype:pdf',
    ],
  );
  for (const { text, start, end } of typed.conditions) assert.equal(typed.text.slice(start, end), text);
  assert.equal(
    withoutCondition(typed.text, typed.conditions[1]!),
    'seals -site:a.example allintitle:two words -"no way" filetype:pdf',
  );
});

test('next to an OR, only sites and file types are still conditions', () => {
  const kinds = (text: string) => readTypedQuery(text).conditions.map(({ kind }) => kind);
  assert.deepEqual(kinds('"a b" OR "c d"'), []);
  assert.deepEqual(kinds('site:a.example OR site:b.example'), ['site', 'site']);
  assert.deepEqual(kinds('intitle: seals'), []);
});

test('a last word is unfinished until a space, a sign or an operator says otherwise', () => {
  const unfinished = (text: string) => readTypedQuery(text).unfinished;
  assert.equal(unfinished('grey se'), 'se');
  assert.equal(unfinished('site:a.example se'), 'se');
  for (const text of [
    'grey se ',
    'se\n',
    '"grey se',
    '"grey se"',
    '-se',
    'intitle:se',
    'site:se',
    'allintitle:a se',
    '',
  ])
    assert.equal(unfinished(text), undefined, text);
});
