// Which documents a search may return, as clauses of OpenSearch: the same conditions as `query/column-filter.ts`, which
// checks what was fetched once more.
import type { Conditions, Query } from '../../../contracts/search/search-query.ts';
import { hostsOfCategory } from '../../../urls/categories.ts';
import { bareTwin } from '../../../urls/listed-domains.ts';
import { sha256 } from '../../../util/hash.ts';
import type { VisiblePages } from '../../page-index.ts';
import type { RequiredKind, Searched } from '../../query/column-filter.ts';
import { predicatesOf, type TermField, type TermMatch } from '../../query/predicates.ts';
import { indexedTerm, wordField } from '../ingest/page-document.ts';

export type OpenSearchClause = Record<string, unknown>;

export interface ScopeClauses {
  filter: OpenSearchClause[];
  mustNot: OpenSearchClause[];
  /** Clauses without a score: an answer names those that a document matches. */
  named: OpenSearchClause[];
}

/** Beginnings of words that a phrase in a URL may end with. */
const MOST_EXPANSIONS = 1_000;
/** In one list, as OpenSearch is set up by default. */
const MOST_TERMS = 65_536;

export const visibleClauses = ({ viewer, verifiedOnly, within }: VisiblePages): OpenSearchClause[] => [
  { terms: { owner: viewer } },
  ...(verifiedOnly ? [{ term: { isVerified: true } }] : []),
  ...(within ? [{ bool: { should: keyLists(within), minimum_should_match: 1 } }] : []),
];

function keyLists(keys: Float64Array): OpenSearchClause[] {
  const lists: OpenSearchClause[] = [];
  for (let at = 0; at === 0 || at < keys.length; at += MOST_TERMS)
    lists.push({ terms: { key: [...keys.subarray(at, at + MOST_TERMS)] } });
  return lists;
}

export function scopeClauses(search: Searched, kind: RequiredKind, matches: readonly TermMatch[] = []): ScopeClauses {
  const { query, conditions, languages = [], kinds = [] } = search;
  const predicates = predicatesOf(query);
  const wanted = [...predicates.filter(({ negated }) => !negated).map(({ match }) => match), ...matches];
  const unwanted = predicates.filter(({ negated }) => negated).map(({ match }) => match);
  const isKnown = (match: TermMatch | undefined) => match !== undefined;
  return {
    filter: [
      ...visibleClauses(search),
      ...(kind.news ? [{ term: { isNews: true } }] : []),
      ...(kind.images ? [{ range: { images: { gte: 1 } } }] : []),
      ...hostFilters(query, conditions),
      ...typeFilters(query),
      ...categoryFilters(conditions),
      ...timeFilters(conditions),
      ...(languages.length > 0 ? [{ terms: { language: languages } }] : []),
      ...(kinds.length > 0 ? [{ terms: { pageKind: kinds } }] : []),
      ...wanted.filter(isKnown).map(namedMatch),
    ],
    mustNot: [...unwantedHosts(query, conditions), ...unwantedTypes(query)],
    // Terms are stems, so a match alone does not exclude a page: its text decides.
    named: unwanted.filter(isKnown).map((match) => ({ constant_score: { filter: namedMatch(match), boost: 0 } })),
  };
}

export const matchName = (match: TermMatch): string => sha256(JSON.stringify(match)).slice(0, 12);

const namedMatch = (match: TermMatch): OpenSearchClause => ({
  bool: { filter: [matchClause(match)], _name: matchName(match) },
});

function matchClause(match: TermMatch): OpenSearchClause {
  if ('all' in match) return { bool: { filter: match.all.map(matchClause) } };
  if ('any' in match) return { bool: { should: match.any.map(matchClause), minimum_should_match: 1 } };
  if ('term' in match) return { term: { [wordField(match.term)]: indexedTerm(match.term) } };
  if ('urlPrefix' in match) return urlClause(match.urlPrefix);
  const { phrase, fields } = match;
  const inField = (field: TermField) => ({ match_phrase: { [field]: { query: phrase, analyzer: 'whitespace' } } });
  return { bool: { should: fields.map(inField), minimum_should_match: 1 } };
}

const urlClause = (words: string): OpenSearchClause =>
  words.includes(' ')
    ? { match_phrase_prefix: { url: { query: words, analyzer: 'whitespace', max_expansions: MOST_EXPANSIONS } } }
    : { prefix: { url: { value: words } } };

const PAGE_FIELDS = { host: 'host', domains: 'domains' };
const VECTOR_FIELDS = { host: 'vectorHost', domains: 'vectorDomains' };

const within = (hosts: readonly string[], { domains } = PAGE_FIELDS): OpenSearchClause => ({
  terms: { [domains]: hosts },
});

/** Hosts are stored without `www.`, so a host and its twin have the same name. */
function onListed(domains: readonly string[], fields = PAGE_FIELDS): OpenSearchClause {
  const twins = domains.flatMap((domain) => bareTwin(domain) ?? []);
  const whole = domains.filter((domain) => bareTwin(domain) === undefined);
  return anyOf([{ terms: { [fields.host]: twins } }, within(whole, fields)]);
}

const anyOf = (should: readonly OpenSearchClause[]): OpenSearchClause => ({
  bool: { should, minimum_should_match: 1 },
});

/** Only owner and host of a vector are known. */
export const vectorClauses = ({ viewer, query, conditions }: Searched): OpenSearchClause[] => [
  { terms: { vectorOwner: viewer } },
  ...hostFilters(query, conditions, VECTOR_FIELDS),
];

function hostFilters({ clauses }: Query, { includeDomains }: Conditions, fields = PAGE_FIELDS): OpenSearchClause[] {
  const sites = clauses.filter((clause) => clause.kind === 'site' && !clause.negated) as { host: string }[];
  return [
    ...(sites.length > 0
      ? [
          within(
            sites.map(({ host }) => host),
            fields,
          ),
        ]
      : []),
    ...(includeDomains.length > 0 ? [onListed(includeDomains, fields)] : []),
  ];
}

function unwantedHosts({ clauses }: Query, { excludeDomains }: Conditions): OpenSearchClause[] {
  const hosts = clauses.flatMap((clause) =>
    clause.kind === 'site' && clause.negated && clause.path === '' ? [clause.host] : [],
  );
  return [
    ...(hosts.length > 0 ? [within(hosts)] : []),
    ...(excludeDomains.length > 0 ? [onListed(excludeDomains)] : []),
  ];
}

const typesIn = ({ clauses }: Query, isNegated: boolean): string[] =>
  clauses.flatMap((clause) => (clause.kind === 'filetype' && clause.negated === isNegated ? [clause.extension] : []));

const typeFilters = (query: Query): OpenSearchClause[] =>
  typesIn(query, false).length > 0 ? [{ terms: { types: typesIn(query, false) } }] : [];

const unwantedTypes = (query: Query): OpenSearchClause[] =>
  typesIn(query, true).length > 0 ? [{ terms: { types: typesIn(query, true) } }] : [];

function categoryFilters({ categories }: Conditions): OpenSearchClause[] {
  if (categories.length === 0) return [];
  const files = categories.includes('pdf') ? [{ term: { types: 'pdf' } }] : [];
  return [anyOf([within(categories.flatMap(hostsOfCategory)), ...files])];
}

function timeFilters({ time }: Conditions): OpenSearchClause[] {
  if (!time) return [];
  return [
    ...(time.from === undefined ? [] : [{ range: { lastMoment: { gte: Math.ceil(time.from) } } }]),
    ...(time.until === undefined ? [] : [{ range: { date: { lt: Math.ceil(time.until) } } }]),
  ];
}
