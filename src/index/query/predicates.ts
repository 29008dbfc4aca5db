// Predicates of a query that columns cannot decide. The index of terms finds the docs that may match; the text of the page
// decides.
import type { FieldClause, PhraseClause, Query, SiteClause, WordClause } from '../../contracts/search/search-query.ts';
import { containsPhrase } from '../../text/passages/find-phrase.ts';
import { eachTerm } from '../../text/words/terms.ts';
import { wordsOf } from '../../text/words/tokenizer.ts';
import { TERM_LANGUAGES } from '../../text/words/word-rules.ts';
import { isWithin } from '../../urls/categories.ts';
import { hostOf, percentDecoded, urlWords } from '../pages/url-features.ts';

/** The parts of a page that predicates check. They are read on access. */
export interface FilterablePage {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly headings: string;
  readonly body: string;
}

/** The indexed terms of a page. Headings are part of the body. */
export type TermField = 'title' | 'url' | 'body';

/** Which docs the index of terms is asked for. */
export type TermMatch =
  | { phrase: string; fields: readonly TermField[] }
  /** Words of the URL next to each other; the last one may be the beginning of a word. */
  | { urlPrefix: string }
  /** A term of the postings, such as the size of an image. */
  | { term: string }
  | { all: readonly TermMatch[] }
  | { any: readonly TermMatch[] };

export interface Predicate {
  negated: boolean;
  /** Its matches include every page that holds; undefined if only the page itself can tell. */
  match?: TermMatch;
  /** The exact check; absent where the match is already exact. */
  holds?(page: FilterablePage): boolean;
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
  const own = phraseMatch(text, OWN_TEXT);
  const address = negated ? urlMatch(text) : undefined;
  if (!own) return [];
  // An unwanted word may not occur in the URL either.
  const match = address ? { any: [own, address] } : own;
  const holds = (page: FilterablePage) =>
    containsPhrase(page.title, text) ||
    containsPhrase(page.body, text) ||
    containsPhrase(page.headings, text) ||
    containsPhrase(page.description, text) ||
    (negated && kind === 'word' && containsPhrase(urlWords(new URL(page.url)).join(' '), text));
  return [{ negated, match, holds }];
}

function titlePredicate({ kind, words, negated }: FieldClause): Predicate[] {
  const texts = kind === 'intitle' ? [words.join(' ')] : words;
  const terms = texts.filter((text) => phraseMatch(text, ['title']) !== undefined);
  if (terms.length === 0) return [];
  return [
    {
      negated,
      match: { all: terms.map((text) => phraseMatch(text, ['title'])!) },
      holds: ({ title }) => terms.every((text) => containsPhrase(title, text)),
    },
  ];
}

function urlPredicate({ kind, words, negated }: FieldClause): Predicate[] {
  const texts = kind === 'inurl' ? [words.join(' ')] : words;
  const all = texts.map(urlMatch).filter((match) => match !== undefined);
  return all.length === 0 ? [] : [{ negated, match: { all } }];
}

/** Whether the page lies under one of the sites. */
function pathPredicate(sites: readonly SiteClause[]): Predicate {
  const any = sites.map(({ path }) => urlMatch(wordsOf(percentDecoded(path)).join(' ')));
  const isSure = any.every((match) => match !== undefined);
  return {
    negated: sites[0]!.negated,
    match: isSure ? { any } : undefined,
    holds: ({ url }) => sites.some((site) => isUnder(new URL(url), site)),
  };
}

function isUnder({ hostname, pathname }: URL, { host, path }: SiteClause): boolean {
  if (!isWithin(hostOf(hostname), host)) return false;
  const prefix = percentDecoded(path).replace(/\/$/, '').toLowerCase();
  const own = percentDecoded(pathname).toLowerCase();
  return own.startsWith(prefix) && (own.length === prefix.length || own[prefix.length] === '/' || prefix === '');
}

// Matches use stemmed terms, as the pages do, so they still have to be checked against the text.

/** Fields with the page's own text. */
const OWN_TEXT = ['title', 'body'] as const;

/** The words as a phrase in any of the fields; undefined if the text has no words. */
function phraseMatch(text: string, fields: readonly TermField[]): TermMatch | undefined {
  const phrases = new Set<string>();
  for (const language of TERM_LANGUAGES) {
    const terms: string[] = [];
    eachTerm(text, language, (term) => terms.push(term));
    if (terms.length > 0) phrases.add(terms.join(' '));
  }
  return phrases.size === 0 ? undefined : { any: [...phrases].map((phrase) => ({ phrase, fields })) };
}

function urlMatch(text: string): TermMatch | undefined {
  const words = wordsOf(text);
  return words.length === 0 ? undefined : { urlPrefix: words.join(' ') };
}
