// Every number that decides in which order results are shown, in one place. What is added to a score is in its unit:
// a rare word in a title gives about ten, a common one two, so that these decide among many pages with a common word
// and hardly matter where few fit.

/** Where all words together cannot give so much, as in a small index about one thing, additions shrink with them. */
export const FULL_SCORE = 8;

/** What a page adds by itself, whatever was asked. */
export const STATIC_RANK = {
  /** Of a page whose main content is surely all there. */
  quality: 0.8,
  /** For each doubling of the hosts that link to it. */
  inlinks: 0.3,
  inlinksAtMost: 1.5,
  home: 0.4,
  /** For each step of the path, taken off; deep pages are details. */
  depth: 0.06,
  depthAtMost: 0.3,
} as const;

/** What it adds for this search. */
export const BOOSTS = {
  /** The page says it is for the country, or its host is one of it. */
  country: 0.8,
  /** It is in the language of the country. */
  language: 0.5,
  /** Of a page of this very moment; half of it at `halfLife`. */
  freshness: 0.4,
  freshnessHalfLife: 180 * 86_400_000,
  newsFreshness: 8,
  newsHalfLife: 2 * 86_400_000,
  /** The host has the name that was typed: its front page, and its others. */
  namedHome: 6,
  namedHost: 0.6,
} as const;

/** What a candidate's own text adds, as a part of the best score. */
export const TEXT_MATCH = {
  /** All words are in it, for questions of at most so many words. */
  allWords: 0.5,
  allWordsUpTo: 8,
  /** The words stand side by side, for questions of at most so many words. */
  proximity: 0.15,
  proximityUpTo: 5,
  /** Only so many of the best are read for it. */
  proximityDepth: 20,
} as const;

/** A page with few of the words is left out below this part of the best score. */
export const CUTOFF = { score: 0.25, words: 0.5 } as const;

/** So many of a host before others step in front, and how near to it those must be. */
export const HOST_CROWDING = { perHost: 3, comparable: 0.5 } as const;

/** Two texts are one: bits of their prints that may differ, and under different titles how far their lengths may lie apart. */
export const NEAR_DUPLICATES = { bits: 3, bitsWithOtherTitle: 1, length: 0.1 } as const;

/** What makes a picture fit, each as a part of the words that were asked for. */
export const IMAGES = {
  own: 1,
  title: 0.3,
  /** How its page fits, beside the best page. */
  page: 0.2,
  /** Icons step back, large pictures forward; sides in pixels. */
  tiny: 0.5,
  tinySide: 64,
  large: 0.1,
  largeSide: 300,
} as const;
