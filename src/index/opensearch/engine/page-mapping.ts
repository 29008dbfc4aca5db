// The fields of the OpenSearch index. Terms are analysed by our own code, so OpenSearch only splits them at spaces.
import { STEMMERS } from '../../../text/words/stemmers.ts';
import { hashOf } from '../../../util/hash.ts';
import { lazy } from '../../../util/lazy.ts';
import { createPageAnalyser } from '../../ingest/analyse-page.ts';
import { preparedSamples, SAMPLE_LINK_TEXTS } from '../../ingest/analysis-sample.ts';
import { BM25, STORED_IN_OPENSEARCH } from '../../ranking/ranking-weights.ts';
import { withLinks } from '../ingest/page-document.ts';

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
  similarity: { bm25: { type: 'BM25', k1: BM25.k1, b: BM25.b } },
  analysis: {
    filter: { weight: { type: 'delimited_term_freq' } },
    analyzer: { weighted: { type: 'custom', tokenizer: 'whitespace', filter: ['weight'] } },
  },
};

const PROPERTIES = {
  /** A page, its vector, a link between pages, or the state of the index. */
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
  /** These belong to the vector of a page. */
  vectorOf: keyword,
  vectorOwner: keyword,
  vectorHost: keyword,
  vectorDomains: keyword,
  signs: keyword,
  target: long,
  linkHost: keyword,
  linkText: listed,
};

/** Not stored a second time beside their columns and terms. */
const NOT_IN_SOURCE = ['title', 'url', 'body', 'weights', 'links'];

/** Follows from the fields, from the document of a page, and from the weights in it. */
export function schemaVersionFor(weights: object): string {
  const analyser = createPageAnalyser();
  const inbound = { texts: [...SAMPLE_LINK_TEXTS], hosts: 2 };
  const documents = preparedSamples(analyser).map((page) => withLinks(analyser, page, inbound, 1));
  return hashOf(SETTINGS, PROPERTIES, NOT_IN_SOURCE, weights, STEMMERS, documents).slice(0, 8);
}

const schemaVersion = lazy(() => schemaVersionFor(STORED_IN_OPENSEARCH));

/** With another version, a new index is filled from the feed, under a name of its own. */
export const indexName = (prefix: string): string => `${prefix}-pages-v${schemaVersion()}`;

/** The process that makes the index writes `installation` into it, so that no other installation uses it. */
export const indexBody = (alias: string, installation: string | undefined) => ({
  settings: { index: SETTINGS },
  mappings: {
    ...(installation !== undefined && { _meta: { installation } }),
    ...{ dynamic: false, _source: { excludes: NOT_IN_SOURCE }, properties: PROPERTIES },
  },
  aliases: { [alias]: {} },
});
