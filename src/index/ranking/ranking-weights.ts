// All weights that decide the order of results. Boosts are in the unit of BM25 scores: a rare word in a title gives
// about ten, a common one two. So they decide among many pages with a common word, and hardly matter among few.

/**
 * How much one occurrence of a word counts. Headings also occur in the body, so their weight is added to that of the body.
 * Stored with the terms of a page.
 */
export const FIELD_WEIGHTS = { title: 3, url: 1, headings: 1, body: 1, anchors: 2 } as const;

/** The same for images: their own texts, and the title of their page. */
export const IMAGE_TERM_WEIGHTS = { own: 2, pageTitle: 1 } as const;

/** A change of these rebuilds the index: its version follows from them. */
export const STORED_WEIGHTS = { fields: FIELD_WEIGHTS, images: IMAGE_TERM_WEIGHTS } as const;

/** Tuned on held-out queries: the length penalty and the weight of rare words are slightly above the usual. */
export const BM25 = {
  /** Saturation: how soon further occurrences of a word stop to count. */
  k1: 1.2,
  /** How much the length of a doc counts, from 0 (not at all) to 1 (fully). */
  b: 0.85,
  idfPower: 1.15,
  /** Lower bound, so that a word found in nearly every doc never lowers a score. */
  minIdf: 1e-6,
} as const;

/**
 * Boosts shrink in proportion when the words of a query cannot reach this score, as in a small index on one subject.
 */
export const FULL_SCORE = 8;

/** What a page adds regardless of the query. */
export const STATIC_RANK = {
  /** For a page whose main content is certainly complete. */
  quality: 0.8,
  /** For each doubling of the number of linking hosts. */
  inlinks: 0.3,
  inlinksAtMost: 1.5,
  home: 0.4,
  /** Subtracted per path segment, since deep pages are details. */
  depth: 0.06,
  depthAtMost: 0.3,
} as const;

/** OpenSearch also stores the static rank with each page. */
export const STORED_IN_OPENSEARCH = { ...STORED_WEIGHTS, staticRank: STATIC_RANK } as const;

/** What a page adds for this search. */
export const BOOSTS = {
  /** The page or its host is for the caller's country. */
  country: 0.8,
  /** The page is in the language of the country. */
  language: 0.5,
  /** For a page of this moment; half of it at the half-life. */
  freshness: 0.4,
  freshnessHalfLife: 180 * 86_400_000,
  newsFreshness: 8,
  newsHalfLife: 2 * 86_400_000,
  /** The host has the name that was typed: its front page, and its other pages. */
  namedHome: 6,
  namedHost: 0.6,
} as const;

/** What the text of a candidate adds, as a share of the best score. */
export const TEXT_MATCH = {
  /** The page has all words, for queries up to `allWordsUpTo` words. */
  allWords: 0.5,
  allWordsUpTo: 8,
  /** The words are adjacent, for queries up to `proximityUpTo` words. */
  proximity: 0.15,
  proximityUpTo: 5,
  /** Characters between the words at which closeness counts half. */
  proximityHalfGap: 30,
  /** Only this many of the best pages are read for it. */
  proximityDepth: 20,
} as const;

/** Below this share of the best score, a page is dropped unless it has more than this share of the words. */
export const CUTOFF = { score: 0.25, words: 0.5 } as const;

/**
 * What a page is about, beside its words. Chosen on two sets of labelled queries, which agree: CISI, and questions about
 * paragraphs of encyclopaedias.
 */
export const MEANING = {
  /** Only so many of the best by words are weighed. */
  depth: 100,
  /** A deviation of meanings counts as much as one of scores. */
  weight: 1,
  /** A query with fewer hits by words also finds pages that say it in other words. */
  few: 10,
  /** The least cosine of such a page, and of a page where meaning alone is asked for. */
  atLeast: 0.5,
  atLeastAlone: 0.2,
  /** Signs of 384 by which a page may differ to be looked at. */
  mostDiffering: 175,
} as const;

/** A word on fewer than `few` pages also stands for longer ones that begin with it, in queries up to `mostWords` words. */
export const COMPOUNDS = {
  mostWords: 6,
  few: 10,
  /** Letters that the word or its stem has, and that follow. */
  shortestWord: 4,
  shortestStem: 5,
  shortestRest: 3,
  most: 12,
} as const;

/** Results per host before others move ahead, if their score is at least this share. */
export const HOST_CROWDING = { perHost: 3, comparable: 0.5 } as const;

/** Maximum number of different SimHash bits; with different titles, also the maximum relative difference in length. */
export const NEAR_DUPLICATES = { bits: 3, bitsWithOtherTitle: 1, length: 0.1 } as const;

/** What `related:` adds to pages of hosts that links connect, and to front pages when it chooses what to compare. */
export const RELATED = { linkedHost: 8, frontPage: 1 } as const;

/** What makes an image match, in units of the share of matching words. */
export const IMAGES = {
  own: 1,
  title: 0.3,
  /** The score of its page relative to the best page. */
  page: 0.2,
  /** Icons are demoted, large images promoted; sides in pixels. */
  tiny: 0.5,
  tinySide: 64,
  large: 0.1,
  largeSide: 300,
} as const;
