// What each doc adds to its score in a search, apart from the words: static rank, freshness, locale, and a host name
// that was typed.
import type { Conditions } from '../../contracts/search/search-query.ts';
import type { QueryWord } from '../../text/words/terms.ts';
import type { PageColumns } from '../pages/page-columns.ts';
import { IS_FRONT_PAGE } from '../pages/page-facts.ts';
import {
  depthPenalty,
  freshness,
  frontPageRank,
  linkRank,
  localeFit,
  localeParts,
  qualityRank,
} from './ranking-signals.ts';
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

export interface BoostPart {
  part: 'quality' | 'links' | 'frontPage' | 'depth' | 'language' | 'country' | 'freshness' | 'siteName';
  value: number;
}

export type Boosts = (request: BoostRequest) => Float32Array;

/** Longer queries are not site names. */
const MAX_NAME_WORDS = 3;
/** Freshness is computed for multiples of this time, so that searches can share the sums. */
const TIME_STEP_MS = 600_000;

export function createBoosts(columns: PageColumns): Boosts {
  // The sums of the last search, one entry for pages and one for news.
  const lastSums = new Map<boolean, { key: string; sums: Float32Array }>();

  function sumsFor({ conditions, isNews, now }: BoostRequest): Float32Array {
    const moment = momentOf(now);
    const key = [columns.version, moment, conditions.country, conditions.language].join(' ');
    const known = lastSums.get(isNews);
    if (known?.key === key) return known.sums;
    const { end, staticRank, date, locale } = columns;
    const fits = Float32Array.from(columns.locales.list, (one, id) => (id === 0 ? 0 : localeFit(one, conditions)));
    const { weight, halfLife } = freshnessRule(isNews);
    const sums = new Float32Array(end);
    for (let docId = 1; docId < end; docId++) {
      const fresh = weight * freshness(moment - date[docId]!, halfLife);
      sums[docId] = staticRank[docId]! + fits[locale[docId]!]! + fresh;
    }
    lastSums.set(isNews, { key, sums });
    return sums;
  }

  return (request) => {
    const { words, scale } = request;
    const sums = sumsFor(request);
    const named = hostsNamedBy(columns, words);
    if (scale === 1 && named.size === 0) return sums;
    const boosts = new Float32Array(sums.length);
    for (let docId = 1; docId < sums.length; docId++) boosts[docId] = sums[docId]! * scale;
    if (named.size > 0) addNameBoosts(boosts, columns, named, scale);
    return boosts;
  };
}

const momentOf = (now: number): number => Math.floor(now / TIME_STEP_MS) * TIME_STEP_MS;

export const freshnessRule = (isNews: boolean) =>
  isNews
    ? { weight: BOOSTS.newsFreshness, halfLife: BOOSTS.newsHalfLife }
    : { weight: BOOSTS.freshness, halfLife: BOOSTS.freshnessHalfLife };

/** What a boost consists of: the same sum as above, part by part. */
export function boostParts(columns: PageColumns, request: BoostRequest, docId: number): BoostPart[] {
  const { conditions, words, isNews, now, scale } = request;
  const flags = columns.flags[docId]!;
  const { country, language } = localeParts(columns.locales.list[columns.locale[docId]!]!, conditions);
  const { weight, halfLife } = freshnessRule(isNews);
  const isNamed = hostsNamedBy(columns, words).has(columns.host[docId]!);
  const parts: BoostPart[] = [
    { part: 'quality', value: qualityRank(columns.quality[docId]!) },
    { part: 'links', value: linkRank(columns.inlinks[docId]!) },
    { part: 'frontPage', value: frontPageRank(flags) },
    { part: 'depth', value: -depthPenalty(flags) },
    { part: 'language', value: language },
    { part: 'country', value: country },
    { part: 'freshness', value: weight * freshness(momentOf(now) - columns.date[docId]!, halfLife) },
    { part: 'siteName', value: isNamed ? nameBoost(flags) : 0 },
  ];
  return parts.map(({ part, value }) => ({ part, value: value * scale }));
}

const nameBoost = (flags: number): number => ((flags & IS_FRONT_PAGE) !== 0 ? BOOSTS.namedHome : BOOSTS.namedHost);

const hostsNamedBy = (columns: PageColumns, words: readonly QueryWord[]): Set<number> =>
  new Set(namesOfHosts(words).flatMap(columns.hostsNamed));

/** The names that a query may mean: `hacker news` is hackernews.example or hacker-news.example. */
export function namesOfHosts(words: readonly QueryWord[]): string[] {
  if (words.length === 0 || words.length > MAX_NAME_WORDS) return [];
  const texts = words.map(({ text }) => text);
  return [texts.join(''), texts.join('-'), ...texts];
}

function addNameBoosts(boosts: Float32Array, { host, flags }: PageColumns, named: Set<number>, scale: number): void {
  for (let docId = 1; docId < boosts.length; docId++) {
    if (!named.has(host[docId]!)) continue;
    boosts[docId]! += scale * nameBoost(flags[docId]!);
  }
}
