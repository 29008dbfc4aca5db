// What must, or must not, hold for a page beside its columns: where FTS5 finds what may fit, and what the page's text says then.
import type { PhraseClause, PlaceClause, Query, SiteClause, WordClause } from '../contracts/search-query.ts';
import { holdsPhrase } from '../text/phrase.ts';
import { wordsOf } from '../text/words.ts';
import { isWithin } from '../util/categories.ts';
import { hostOf, unescaped, urlWords } from './addresses.ts';
import { allOf, anyOf, OWN_TEXT, phraseExpression, urlExpression } from './expressions.ts';

/** A page as far as tests look at it; what is not asked for is not read. */
export interface TestedPage {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly headings: string;
  readonly body: string;
}

export interface Test {
  negated: boolean;
  /** Everything that holds is among what this finds; undefined: only the page itself can tell. */
  expression?: string;
  /** The truth; absent where FTS5 already tells it. */
  holds?(page: TestedPage): boolean;
}

/** Those of a query. Clauses without a word to look for ask nothing. */
export function testsOf({ clauses }: Query): Test[] {
  const tests: Test[] = [];
  for (const clause of clauses) {
    if (clause.kind === 'phrase' || (clause.kind === 'word' && clause.negated)) tests.push(...textTest(clause));
    else if (clause.kind === 'intitle' || clause.kind === 'allintitle') tests.push(...titleTest(clause));
    else if (clause.kind === 'inurl' || clause.kind === 'allinurl') tests.push(...urlTest(clause));
    else if (clause.kind === 'site' && clause.negated && clause.path !== '') tests.push(pathTest([clause]));
  }
  const sites = clauses.filter((clause) => clause.kind === 'site' && !clause.negated) as SiteClause[];
  if (sites.some(({ path }) => path !== '')) tests.push(pathTest(sites));
  return tests;
}

function textTest({ text, negated, kind }: PhraseClause | WordClause): Test[] {
  const own = phraseExpression(text, OWN_TEXT);
  const address = negated ? urlExpression(text) : undefined;
  if (!own) return [];
  // Who does not want a word does not want it in the address either.
  const expression = address ? `(${own}) OR (${address})` : own;
  const holds = (page: TestedPage) =>
    holdsPhrase(page.title, text) ||
    holdsPhrase(page.body, text) ||
    holdsPhrase(page.headings, text) ||
    holdsPhrase(page.description, text) ||
    (negated && kind === 'word' && holdsPhrase(urlWords(new URL(page.url)).join(' '), text));
  return [{ negated, expression, holds }];
}

function titleTest({ kind, words, negated }: PlaceClause): Test[] {
  const texts = kind === 'intitle' ? [words.join(' ')] : words;
  const asked = texts.filter((text) => phraseExpression(text, ['title']) !== undefined);
  if (asked.length === 0) return [];
  return [
    {
      negated,
      expression: allOf(asked.map((text) => phraseExpression(text, ['title'])!)),
      holds: ({ title }) => asked.every((text) => holdsPhrase(title, text)),
    },
  ];
}

function urlTest({ kind, words, negated }: PlaceClause): Test[] {
  const texts = kind === 'inurl' ? [words.join(' ')] : words;
  const expressions = texts.map(urlExpression).filter((expression) => expression !== undefined);
  return expressions.length === 0 ? [] : [{ negated, expression: allOf(expressions) }];
}

/** Is it under one of these? */
function pathTest(sites: readonly SiteClause[]): Test {
  const expressions = sites.map(({ path }) => {
    const words = wordsOf(unescaped(path)).join(' ');
    return urlExpression(words);
  });
  const isSure = expressions.every((expression) => expression !== undefined);
  return {
    negated: sites[0]!.negated,
    expression: isSure ? anyOf(expressions.map((expression) => `(${expression})`)) : undefined,
    holds: ({ url }) => sites.some((site) => isUnder(new URL(url), site)),
  };
}

function isUnder({ hostname, pathname }: URL, { host, path }: SiteClause): boolean {
  if (!isWithin(hostOf(hostname), host)) return false;
  const prefix = unescaped(path).replace(/\/$/, '').toLowerCase();
  const place = unescaped(pathname).toLowerCase();
  return place.startsWith(prefix) && (place.length === prefix.length || place[prefix.length] === '/' || prefix === '');
}
