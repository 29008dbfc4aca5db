// What every document adds to its score for this search, beside the words: its standing, its date, its country, its name.
import type { Conditions } from '../contracts/search-query.ts';
import type { QueryWord } from '../text/terms.ts';
import type { Columns } from './columns.ts';
import { IS_HOME } from './facts.ts';
import { freshness, localeFit } from './signals.ts';
import { FITTING } from './weights.ts';

export interface BonusRequest {
  conditions: Conditions;
  /** Those of the query, in order. */
  words: readonly QueryWord[];
  isNews: boolean;
  now: number;
  /** 1, or less where the words cannot tell pages apart. */
  scale: number;
}

export type Bonus = (request: BonusRequest) => Float32Array;

/** Longer questions do not name a site. */
const LONGEST_NAME = 3;
/** Dates are looked at again after this time; until then the sums of most searches are the same. */
const SAME_TIME_MS = 600_000;

export function createBonus(columns: Columns): Bonus {
  // For pages and for news, as the last search needed it.
  const kept = new Map<boolean, { name: string; sums: Float32Array }>();

  function sumsFor({ conditions, isNews, now }: BonusRequest): Float32Array {
    const moment = Math.floor(now / SAME_TIME_MS) * SAME_TIME_MS;
    const name = [columns.version, moment, conditions.country, conditions.language].join(' ');
    const known = kept.get(isNews);
    if (known?.name === name) return known.sums;
    const { end, standing, date, locale } = columns;
    const fits = Float32Array.from(columns.locales.list, (one, id) => (id === 0 ? 0 : localeFit(one, conditions)));
    const weight = isNews ? FITTING.newsFreshness : FITTING.freshness;
    const halfLife = isNews ? FITTING.newsHalfLife : FITTING.freshnessHalfLife;
    const sums = new Float32Array(end);
    for (let number = 1; number < end; number++) {
      const fresh = weight * freshness(moment - date[number]!, halfLife);
      sums[number] = standing[number]! + fits[locale[number]!]! + fresh;
    }
    kept.set(isNews, { name, sums });
    return sums;
  }

  return (request) => {
    const { words, scale } = request;
    const sums = sumsFor(request);
    const named = namedHosts(columns, words);
    if (scale === 1 && named.size === 0) return sums;
    const bonus = new Float32Array(sums.length);
    for (let number = 1; number < sums.length; number++) bonus[number] = sums[number]! * scale;
    if (named.size > 0) addNames(bonus, columns, named, scale);
    return bonus;
  };
}

/** The hosts that are called what was typed: `hacker news` may mean hackernews.example or hacker-news.example. */
function namedHosts(columns: Columns, words: readonly QueryWord[]): Set<number> {
  if (words.length === 0 || words.length > LONGEST_NAME) return new Set();
  const texts = words.map(({ text }) => text);
  return new Set([texts.join(''), texts.join('-'), ...texts].flatMap(columns.hostsNamed));
}

function addNames(bonus: Float32Array, { host, flags }: Columns, named: Set<number>, scale: number): void {
  for (let number = 1; number < bonus.length; number++) {
    if (!named.has(host[number]!)) continue;
    bonus[number]! += scale * ((flags[number]! & IS_HOME) !== 0 ? FITTING.namedHome : FITTING.namedHost);
  }
}
