// What OpenSearch is asked for a hostile query: only clauses of ours, over fields of ours, whatever a caller writes. None of
// them runs a program or an expression of the caller.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeClauses } from '../../src/index/opensearch/query/filter-clauses.ts';
import { parseQuery } from '../../src/search/query/query.ts';
import { searchOf } from '../conformance/page-index-samples.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';

/** Every name of a member anywhere in the clauses. */
const namesIn = (value: unknown): string[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([name, inner]) => [...(Array.isArray(value) ? [] : [name]), ...namesIn(inner)]);

const clausesOf = (text: string) => {
  const query = parseQuery(
    `${text} "${text}" -"${text}" site:${text} -site:${text} intitle:${text} inurl:${text} filetype:${text} ${text}*`,
  );
  const asked = { includeDomains: [text], excludeDomains: [text], language: text, country: text };
  return JSON.parse(JSON.stringify(scopeClauses({ ...searchOf(query, asked), languages: [text] }, {})));
};

const NEVER = [
  'script',
  'script_score',
  'regexp',
  'wildcard',
  'fuzzy',
  'query_string',
  'simple_query_string',
  'intervals',
];

test('a hostile query has the clauses and fields of a harmless one, and none that runs what a caller wrote', () => {
  const harmless = new Set(['words', 'two words', 'a.example', 'a/b'].flatMap((text) => namesIn(clausesOf(text))));
  for (const text of HOSTILE_TEXTS) {
    const names = namesIn(clausesOf(text));
    assert.deepEqual(
      [...new Set(names)].filter((name) => !harmless.has(name)),
      [],
      JSON.stringify(text.slice(0, 40)),
    );
  }
  assert.deepEqual(
    NEVER.filter((name) => harmless.has(name)),
    [],
  );
});

test('whose pages a query may see is asked of every search, beside all that the caller wrote', () => {
  const { viewer } = searchOf(parseQuery(''));
  for (const text of HOSTILE_TEXTS) {
    const { filter } = clausesOf(text) as { filter: object[] };
    assert.deepEqual(filter[0], { terms: { owner: viewer } });
  }
});
