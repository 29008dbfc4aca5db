// The signals beside the words, each a small function of what is known about a page; their weights are in weights.ts.
import type { Conditions } from '../contracts/search-query.ts';
import { depthOf, IS_HOME } from './facts.ts';
import { FITTING, STANDING } from './weights.ts';

/** What a page adds to every score. */
export const standing = (quality: number, inlinks: number, flags: number): number =>
  (quality / 255) * STANDING.quality +
  Math.min(STANDING.inlinksAtMost, Math.log2(1 + inlinks) * STANDING.inlinks) +
  ((flags & IS_HOME) !== 0 ? STANDING.home : 0) -
  Math.min(STANDING.depthAtMost, depthOf(flags) * STANDING.depth);

/** 1 for a page of this moment, a half at the half-life, then ever less. Dates in the future count as now. */
export const freshness = (age: number, halfLife: number): number => halfLife / (halfLife + Math.max(0, age));

/** Where and for whom a page is, as one name: few differ, so that a preference is worked out for each only once. */
export const localeName = (hostCountry: string, countries: readonly string[], language: string): string =>
  `${hostCountry}|${[...new Set(countries)].sort().join(',')}|${language}`;

/** Pages for the country and in its language are preferred, never more than that. */
export function localeFit(name: string, { country, language }: Pick<Conditions, 'country' | 'language'>): number {
  const [hostCountry, countries, spoken] = name.split('|') as [string, string, string];
  const isForCountry = country !== '' && (hostCountry === country || countries.split(',').includes(country));
  const isInLanguage = language !== '' && spoken === language;
  return (isForCountry ? FITTING.country : 0) + (isInLanguage ? FITTING.language : 0);
}
