// A parsed search, as all parts of the service exchange it: the clauses of the query and the conditions beside it.
import type { CodeFilter } from './code-item.ts';
import type { PaperFilter } from './paper.ts';

/** Types of search results. */
export const SOURCES = ['web', 'news', 'images'] as const;
export type Source = (typeof SOURCES)[number];

export const CATEGORIES = ['github', 'research', 'pdf'] as const;
export type Category = (typeof CATEGORIES)[number];

interface Negatable {
  /** Written with a minus: matching results are excluded. */
  negated: boolean;
}

export interface WordClause extends Negatable {
  kind: 'word';
  text: string;
}
/** Matches exactly these words in this order. */
export interface PhraseClause extends Negatable {
  kind: 'phrase';
  text: string;
}
/** `host` is in lower case without `www.` and includes its subdomains. `path` is '' or starts with a slash. */
export interface SiteClause extends Negatable {
  kind: 'site';
  host: string;
  path: string;
}
export interface FiletypeClause extends Negatable {
  kind: 'filetype';
  /** In lower case, without a dot. */
  extension: string;
}
/** `words` holds one word or those of a quoted text; for the `all` kinds everything up to the next operator. */
export interface FieldClause extends Negatable {
  kind: 'inurl' | 'allinurl' | 'intitle' | 'allintitle';
  words: string[];
}
export interface RelatedClause extends Negatable {
  kind: 'related';
  host: string;
}
/** `imagesize` is exact; `larger` means larger in both dimensions. */
export interface SizeClause extends Negatable {
  kind: 'imagesize' | 'larger';
  width: number;
  height: number;
}

export type Clause = WordClause | PhraseClause | SiteClause | FiletypeClause | FieldClause | RelatedClause | SizeClause;

/** All clauses must match, except that several sites (or file types) are alternatives unless negated. Words only rank. */
export interface Query {
  /** As typed, trimmed. */
  text: string;
  clauses: readonly Clause[];
}

export type TimePreset = 'hour' | 'day' | 'week' | 'month' | 'year';

/** From `tbs`: the date of a result is in [from, until). */
export interface TimeRange {
  from?: number;
  until?: number;
  /** Set if the range is a preset, because some providers support only those. */
  preset?: TimePreset;
}

/** The language of a search that names none. */
export const DEFAULT_LANGUAGE = 'en';

/** Filters and preferences beside the query text. */
export interface Conditions {
  time?: TimeRange;
  sortByDate: boolean;
  /** Hosts in lower case, read as in urls/listed-domains.ts. At most one of the two lists has entries. */
  includeDomains: readonly string[];
  excludeDomains: readonly string[];
  /** A result must belong to one of them, if there are any. */
  categories: readonly Category[];
  /** Two upper-case letters. Pages from this country are preferred. */
  country: string;
  /** Two lower-case letters, if the caller named a language: a country alone does not imply one. */
  language?: string;
  /** A place name as people write it. */
  location?: string;
  safe?: boolean;
  /** Asks for papers: only catalogues of papers heed it, and their results have a `paper`. */
  papers?: PaperFilter;
  /** Asks for what GitHub has: only GitHub heeds it, and its results have a `code`. */
  code?: CodeFilter;
}

/** The conditions of a search that has none. */
export const NO_CONDITIONS: Conditions = {
  sortByDate: false,
  includeDomains: [],
  excludeDomains: [],
  categories: [],
  country: 'US',
  language: DEFAULT_LANGUAGE,
};

/** Whether the search names the hosts it wants. Those hosts may then fill the result list. */
export const namesHosts = ({ clauses }: Query, { includeDomains }: Conditions): boolean =>
  includeDomains.length > 0 || clauses.some(({ kind, negated }) => kind === 'site' && !negated);
