// The fields of the OpenSearch index. Terms are analysed by our own code, so OpenSearch only splits them at spaces.
import { B, K1 } from '../../ranking/bm25.ts';

/** Raise it when fields or term analysis change: a new index is then filled from the feed, under a name of its own. */
export const SCHEMA_VERSION = 1;

const keyword = { type: 'keyword' };
/** Only read, never searched. */
const listed = { type: 'keyword', index: false };
const long = { type: 'long' };
/** Terms in order, for phrases. */
const terms = { type: 'text', analyzer: 'whitespace', norms: false, index_options: 'positions' };
/** `term|weight` for each term once. */
const weighted = {
  type: 'text',
  analyzer: 'weighted',
  search_analyzer: 'keyword',
  index_options: 'freqs',
  similarity: 'bm25',
};
/** Read for every candidate, so they are columns: reading the source would read the texts, too. */
const packed = { type: 'binary', doc_values: true };

const SETTINGS = {
  // A delete is remembered for this long: an older version of the page that arrives late does not bring it back.
  gc_deletes: '1h',
  refresh_interval: '30s',
  similarity: { bm25: { type: 'BM25', k1: K1, b: B } },
  analysis: {
    filter: { weight: { type: 'delimited_term_freq' } },
    analyzer: { weighted: { type: 'custom', tokenizer: 'whitespace', filter: ['weight'] } },
  },
};

const PROPERTIES = {
  /** A page, a link between pages, or the state of the index. */
  kind: keyword,
  change: long,
  owner: keyword,
  key: long,
  host: keyword,
  /** The host and all domains above it. */
  domains: keyword,
  siteName: keyword,
  date: { type: 'date', format: 'epoch_millis' },
  /** A date without a time of day stands for the whole day: its end. */
  lastMoment: long,
  language: keyword,
  countries: keyword,
  types: keyword,
  pageKind: keyword,
  isNews: { type: 'boolean' },
  isFrontPage: { type: 'boolean' },
  isVerified: { type: 'boolean' },
  images: { type: 'integer' },
  /** Static rank, raised by a constant, since scores must not be negative. */
  rank: { type: 'float' },
  length: long,
  title: terms,
  url: terms,
  body: terms,
  words: weighted,
  imageWords: weighted,
  weights: packed,
  card: packed,
  /** Hashes of the links of a page. */
  links: long,
  content: { type: 'object', enabled: false },
  target: long,
  linkHost: keyword,
  linkText: listed,
};

/** Not stored a second time beside their columns and terms. */
const NOT_IN_SOURCE = ['title', 'url', 'body', 'weights', 'links'];

export const indexName = (prefix: string): string => `${prefix}-pages-v${SCHEMA_VERSION}`;

/** The process that makes the index writes `installation` into it, so that no other installation uses it. */
export const indexBody = (alias: string, installation: string | undefined) => ({
  settings: { index: SETTINGS },
  mappings: {
    ...(installation !== undefined && { _meta: { installation } }),
    ...{ dynamic: false, _source: { excludes: NOT_IN_SOURCE }, properties: PROPERTIES },
  },
  aliases: { [alias]: {} },
});
