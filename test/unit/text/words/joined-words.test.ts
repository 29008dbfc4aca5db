import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageAnalyser } from '../../../../src/index/ingest/analyse-page.ts';
import { queryTerms } from '../../../../src/index/query/query-terms.ts';
import { parseQuery } from '../../../../src/search/query/query.ts';
import { eachWantedTerm } from '../../../../src/text/words/terms.ts';

const PAGE = { url: 'https://a.example/', title: '', description: '', headings: '', language: 'en', images: [] };

function analysed(body: string) {
  const { terms, order, vocabulary, length } = createPageAnalyser().analyse({ ...PAGE, body });
  return {
    terms: new Set([...terms.termIds].map((id) => terms.vocabulary[id]!)),
    order: [...order.body].map((id) => vocabulary.terms[id]!),
    length,
  };
}

const finds = (query: string, body: string) =>
  queryTerms(parseQuery(query)).ranked.every(({ forms }) => forms.some((form) => analysed(body).terms.has(form)));

const SAME = [
  ['node.js', 'nodejs', 'Node JS'],
  ['e-mail', 'email'],
  ['real-time', 'realtime', 'real time'],
  ['camelCase', 'camel case', 'camelcase'],
  ['snake_case', 'snakecase'],
];
/** A word that others write in two needs a text that says so. */
const NOT_FOUND = ['nodejs Node JS', 'realtime real time', 'camelcase camel case'];

for (const spellings of SAME) {
  for (const query of spellings) {
    for (const text of spellings) {
      const isFound = !NOT_FOUND.includes(`${query} ${text}`);
      test(`"${query}" ${isFound ? 'finds' : 'does not find'} a page with "${text}"`, () =>
        assert.equal(finds(query, text), isFound));
    }
  }
}

test('names, numbers and sentences are not joined', () => {
  for (const [query, text] of [
    ['endbegin', 'The end.Begin again'],
    ['20202021', '2020-2021'],
    ['script', 'JavaScript'],
    ['sharp', 'c#'],
  ] as const)
    assert.equal(finds(query, text), false, query);
});

test('a joined word has no place in the order of the words, and does not make the page longer', () => {
  const { order, length } = analysed('a real-time system');
  assert.deepEqual(order, ['a', 'real', 'time', 'system']);
  assert.equal(length, 6, 'with the words of the URL');
});

test('where a text has the parts, both are marked as the joined word', () => {
  const marked: string[] = [];
  const text = 'A Real-Time system';
  eachWantedTerm(text, 'en', new Map([['realtim', 0]]), (number, start, end) => {
    if (number === 0) marked.push(text.slice(start, end));
  });
  assert.deepEqual(marked, ['Real-Time']);
});

test('long queries are taken as they are', () => {
  const { ranked } = queryTerms(parseQuery('how many real time systems did they build in the valley last year'));
  assert.ok(ranked.every(({ forms }) => !forms.includes('realtim')));
});
