// A search as every part of it understands it: what was typed as a tree of clauses, and the conditions beside it.

/** What search results are: pages, news, pictures. */
export const SOURCES = ['web', 'news', 'images'] as const;
export type Source = (typeof SOURCES)[number];

export const CATEGORIES = ['github', 'research', 'pdf'] as const;
export type Category = (typeof CATEGORIES)[number];

interface Negatable {
  /** Written with a minus: what fits is left out. */
  negated: boolean;
}

export interface WordClause extends Negatable {
  kind: 'word';
  text: string;
}
/** Holds for the very words in that order. */
export interface PhraseClause extends Negatable {
  kind: 'phrase';
  text: string;
}
/** `host` in lower case and without `www.`: it stands for itself and what is below it. `path` is '' or begins with a slash. */
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
/** `words` has one word, or those of a quoted text; of the `all` kinds everything up to the next operator. */
export interface FieldClause extends Negatable {
  kind: 'inurl' | 'allinurl' | 'intitle' | 'allintitle';
  words: string[];
}
export interface RelatedClause extends Negatable {
  kind: 'related';
  host: string;
}
/** Exactly that size, or larger in both directions. */
export interface SizeClause extends Negatable {
  kind: 'imagesize' | 'larger';
  width: number;
  height: number;
}

export type Clause = WordClause | PhraseClause | SiteClause | FiletypeClause | FieldClause | RelatedClause | SizeClause;

/** All clauses must hold, but for several sites (or file types) that are not negated: of those, one. Words only rank. */
export interface Query {
  /** As it was typed, without surrounding space. */
  text: string;
  clauses: readonly Clause[];
}

export type TimePreset = 'hour' | 'day' | 'week' | 'month' | 'year';

/** From `tbs`: a result's date lies in [from, until). */
export interface TimeRange {
  from?: number;
  until?: number;
  /** Where the range is a preset, its name: some providers know only those. */
  preset?: TimePreset;
}

/** What is asked beside the words. */
export interface Conditions {
  time?: TimeRange;
  sortByDate: boolean;
  /** Hosts in lower case; each stands for itself and what is below it. At most one of the two is not empty. */
  includeDomains: readonly string[];
  excludeDomains: readonly string[];
  /** A result belongs to one of them; none means no such condition. */
  categories: readonly Category[];
  /** Two upper-case letters: pages of this country are preferred. */
  country: string;
  /** Two lower-case letters: the language to ask providers in. */
  language: string;
  /** A place as people write it. */
  location?: string;
  safe?: boolean;
}
