// What each doc adds to its score in a search, apart from the words: static rank, freshness, locale, and a host name
// that was typed.
import type { Conditions } from '../../contracts/search-query.ts';
import type { QueryWord } from '../../text/terms.ts';
import type { PageColumns } from '../pages/page-columns.ts';
import { IS_FRONT_PAGE } from '../pages/page-facts.ts';
import { freshness, localeFit } from './ranking-signals.ts';
import { BOOSTS } from './ranking-weights.ts';

export interface BoostRequest {
  conditions: Conditions;
  /** The words of the query, in order. */
  words: readonly QueryWord[];
  isNews: boolean;
  now: number;
  /** 1, or less when the words can hardly tell pages apart. */
  scale: number;
}

export type Boosts = (request: BoostRequest) => Float32Array;

/** Longer queries are not site names. */
const LONGEST_NAME = 3;
/** Freshness is computed for multiples of this time, so that searches can share the sums. */
const SAME_TIME_MS = 600_000;

export function createBoosts(columns: PageColumns): Boosts {
  // The sums of the last search, one entry for pages and one for news.
  const kept = new Map<boolean, { name: string; sums: Float32Array }>();

  function sumsFor({ conditions, isNews, now }: BoostRequest): Float32Array {
    const moment = Math.floor(now / SAME_TIME_MS) * SAME_TIME_MS;
    const name = [columns.version, moment, conditions.country, conditions.language].join(' ');
    const known = kept.get(isNews);
    if (known?.name === name) return known.sums;
    const { end, staticRank: standing, date, locale } = columns;
    const fits = Float32Array.from(columns.locales.list, (one, id) => (id === 0 ? 0 : localeFit(one, conditions)));
    const weight = isNews ? BOOSTS.newsFreshness : BOOSTS.freshness;
    const halfLife = isNews ? BOOSTS.newsHalfLife : BOOSTS.freshnessHalfLife;
    const sums = new Float32Array(end);
    for (let docId = 1; docId < end; docId++) {
      const fresh = weight * freshness(moment - date[docId]!, halfLife);
      sums[docId] = standing[docId]! + fits[locale[docId]!]! + fresh;
    }
    kept.set(isNews, { name, sums });
    return sums;
  }

  return (request) => {
    const { words, scale } = request;
    const sums = sumsFor(request);
    const named = namedHosts(columns, words);
    if (scale === 1 && named.size === 0) return sums;
    const boosts = new Float32Array(sums.length);
    for (let docId = 1; docId < sums.length; docId++) boosts[docId] = sums[docId]! * scale;
    if (named.size > 0) addNames(boosts, columns, named, scale);
    return boosts;
  };
}

/** Hosts with the typed name: `hacker news` may mean hackernews.example or hacker-news.example. */
function namedHosts(columns: PageColumns, words: readonly QueryWord[]): Set<number> {
  if (words.length === 0 || words.length > LONGEST_NAME) return new Set();
  const texts = words.map(({ text }) => text);
  return new Set([texts.join(''), texts.join('-'), ...texts].flatMap(columns.hostsNamed));
}

function addNames(boosts: Float32Array, { host, flags }: PageColumns, named: Set<number>, scale: number): void {
  for (let docId = 1; docId < boosts.length; docId++) {
    if (!named.has(host[docId]!)) continue;
    boosts[docId]! += scale * ((flags[docId]! & IS_FRONT_PAGE) !== 0 ? BOOSTS.namedHome : BOOSTS.namedHost);
  }
}
