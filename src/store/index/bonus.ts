// What every document adds to its score for this search, beside the words: its standing, its date, its country, its name.
import type { Conditions } from '../../contracts/search-query.ts';
import type { QueryWord } from '../../text/terms.ts';
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

/** Longer questions do not name a site. */
const LONGEST_NAME = 3;

export function bonusOf(columns: Columns, { conditions, words, isNews, now, scale }: BonusRequest): Float32Array {
  const { end, standing, date, locale, host, flags } = columns;
  const fits = Float32Array.from(columns.locales.list, (name, id) => (id === 0 ? 0 : localeFit(name, conditions)));
  const weight = isNews ? FITTING.newsFreshness : FITTING.freshness;
  const halfLife = isNews ? FITTING.newsHalfLife : FITTING.freshnessHalfLife;
  const bonus = new Float32Array(end);
  for (let number = 1; number < end; number++) {
    const fresh = weight * freshness(now - date[number]!, halfLife);
    bonus[number] = scale * (standing[number]! + fits[locale[number]!]! + fresh);
  }
  const named = namedHosts(columns, words);
  if (named.size > 0) {
    for (let number = 1; number < end; number++) {
      if (!named.has(host[number]!)) continue;
      bonus[number]! += scale * ((flags[number]! & IS_HOME) !== 0 ? FITTING.namedHome : FITTING.namedHost);
    }
  }
  return bonus;
}

/** The hosts that are called what was typed: `hacker news` may mean hackernews.example or hacker-news.example. */
function namedHosts(columns: Columns, words: readonly QueryWord[]): Set<number> {
  if (words.length === 0 || words.length > LONGEST_NAME) return new Set();
  const texts = words.map(({ text }) => text);
  return new Set([texts.join(''), texts.join('-'), ...texts].flatMap(columns.hostsNamed));
}
