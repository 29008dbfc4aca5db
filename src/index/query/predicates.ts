// Predicates of a query that columns cannot decide. FTS5 finds the docs that may match; the text of the page decides.
import type { FieldClause, PhraseClause, Query, SiteClause, WordClause } from '../../contracts/search-query.ts';
import { containsPhrase } from '../../text/find-phrase.ts';
import { eachTerm } from '../../text/terms.ts';
import { wordsOf } from '../../text/tokenizer.ts';
import { isWithin } from '../../util/categories.ts';
import { hostOf, percentDecoded, urlWords } from '../pages/url-features.ts';

/** The parts of a page that predicates check. They are read on access. */
export interface CheckedPage {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly headings: string;
  readonly body: string;
}

export interface Predicate {
  negated: boolean;
  /** FTS5 expression whose matches include every page that holds; undefined if only the page itself can tell. */
  expression?: string;
  /** The exact check; absent where the FTS5 match is already exact. */
  holds?(page: CheckedPage): boolean;
}

/** Clauses without a word to look for are ignored. */
export function predicatesOf({ clauses }: Query): Predicate[] {
  const predicates: Predicate[] = [];
  for (const clause of clauses) {
    if (clause.kind === 'phrase' || (clause.kind === 'word' && clause.negated))
      predicates.push(...textPredicate(clause));
    else if (clause.kind === 'intitle' || clause.kind === 'allintitle') predicates.push(...titlePredicate(clause));
    else if (clause.kind === 'inurl' || clause.kind === 'allinurl') predicates.push(...urlPredicate(clause));
    else if (clause.kind === 'site' && clause.negated && clause.path !== '') predicates.push(pathPredicate([clause]));
  }
  const sites = clauses.filter((clause) => clause.kind === 'site' && !clause.negated) as SiteClause[];
  if (sites.some(({ path }) => path !== '')) predicates.push(pathPredicate(sites));
  return predicates;
}

function textPredicate({ text, negated, kind }: PhraseClause | WordClause): Predicate[] {
  const own = phraseExpression(text, OWN_TEXT);
  const address = negated ? urlExpression(text) : undefined;
  if (!own) return [];
  // An unwanted word may not occur in the URL either.
  const expression = address ? `(${own}) OR (${address})` : own;
  const holds = (page: CheckedPage) =>
    containsPhrase(page.title, text) ||
    containsPhrase(page.body, text) ||
    containsPhrase(page.headings, text) ||
    containsPhrase(page.description, text) ||
    (negated && kind === 'word' && containsPhrase(urlWords(new URL(page.url)).join(' '), text));
  return [{ negated, expression, holds }];
}

function titlePredicate({ kind, words, negated }: FieldClause): Predicate[] {
  const texts = kind === 'intitle' ? [words.join(' ')] : words;
  const terms = texts.filter((text) => phraseExpression(text, ['title']) !== undefined);
  if (terms.length === 0) return [];
  return [
    {
      negated,
      expression: allOf(terms.map((text) => phraseExpression(text, ['title'])!)),
      holds: ({ title }) => terms.every((text) => containsPhrase(title, text)),
    },
  ];
}

function urlPredicate({ kind, words, negated }: FieldClause): Predicate[] {
  const texts = kind === 'inurl' ? [words.join(' ')] : words;
  const expressions = texts.map(urlExpression).filter((expression) => expression !== undefined);
  return expressions.length === 0 ? [] : [{ negated, expression: allOf(expressions) }];
}

/** Whether the page lies under one of the sites. */
function pathPredicate(sites: readonly SiteClause[]): Predicate {
  const expressions = sites.map(({ path }) => {
    const words = wordsOf(percentDecoded(path)).join(' ');
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
  const prefix = percentDecoded(path).replace(/\/$/, '').toLowerCase();
  const own = percentDecoded(pathname).toLowerCase();
  return own.startsWith(prefix) && (own.length === prefix.length || own[prefix.length] === '/' || prefix === '');
}

// FTS5 expressions use stemmed terms, as the pages do, so a match still has to be checked against the text.

/** One language per kind of term analysis, since the same words may have different terms in each. */
const LANGUAGES = ['en', 'de', 'tr', 'vi', 'ru', 'hi', 'ar', 'zh', 'ja', 'ko', 'th', ''];

/** Columns with the page's own text. */
const OWN_TEXT = ['title', 'body'] as const;
type FtsColumn = (typeof OWN_TEXT)[number] | 'url';

/** The words as a phrase in any of the columns; undefined if the text has no words. */
function phraseExpression(text: string, columns: readonly FtsColumn[]): string | undefined {
  const phrases = new Set<string>();
  for (const language of LANGUAGES) {
    const terms: string[] = [];
    eachTerm(text, language, (term) => terms.push(term));
    if (terms.length > 0) phrases.add(quoted(terms.join(' ')));
  }
  return phrases.size === 0 ? undefined : `${columnSet(columns)} : ${anyOf([...phrases])}`;
}

/** The words as a phrase in the URL; the last one may be a prefix. */
function urlExpression(text: string): string | undefined {
  const words = wordsOf(text);
  return words.length === 0 ? undefined : `url : ${quoted(words.join(' '))} *`;
}

const anyOf = (expressions: readonly string[]): string =>
  expressions.length === 1 ? expressions[0]! : `(${expressions.join(' OR ')})`;

const allOf = (expressions: readonly string[]): string => expressions.map((one) => `(${one})`).join(' AND ');

const columnSet = (columns: readonly FtsColumn[]): string => `{${columns.join(' ')}}`;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
