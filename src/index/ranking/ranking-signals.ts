// Ranking signals other than words, each a small function of what is known about a page. See ranking-weights.ts for
// their weights.
import { type Conditions, DEFAULT_LANGUAGE } from '../../contracts/search/search-query.ts';
import { depthOf, IS_FRONT_PAGE } from '../pages/page-facts.ts';
import { BOOSTS, STATIC_RANK } from './ranking-weights.ts';

/** Score of a page that does not depend on the query. */
export const staticRank = (quality: number, inlinks: number, flags: number): number =>
  qualityRank(quality) + linkRank(inlinks) + frontPageRank(flags) - depthPenalty(flags);

export const qualityRank = (quality: number): number => (quality / 255) * STATIC_RANK.quality;
export const linkRank = (inlinks: number): number =>
  Math.min(STATIC_RANK.inlinksAtMost, Math.log2(1 + inlinks) * STATIC_RANK.inlinks);
export const frontPageRank = (flags: number): number => ((flags & IS_FRONT_PAGE) !== 0 ? STATIC_RANK.home : 0);
export const depthPenalty = (flags: number): number =>
  Math.min(STATIC_RANK.depthAtMost, depthOf(flags) * STATIC_RANK.depth);

/** 1 for a page of this moment, one half at the half-life, then ever less. Future dates count as now. */
export const freshness = (age: number, halfLife: number): number => halfLife / (halfLife + Math.max(0, age));

/** Country and language of a page as one name. Few names differ, so a preference is computed once per name. */
export const localeName = (hostCountry: string, countries: readonly string[], language: string): string =>
  `${hostCountry}|${[...new Set(countries)].sort().join(',')}|${language}`;

/** Pages in the caller's language are preferred, and among those pages for its country. Neither is required. */
export function localeFit(name: string, preferred: Pick<Conditions, 'country' | 'language'>): number {
  const { country, language } = localeParts(name, preferred);
  return country + language;
}

export function localeParts(
  name: string,
  { country, language = DEFAULT_LANGUAGE }: Pick<Conditions, 'country' | 'language'>,
): { country: number; language: number } {
  const [hostCountry, countries, spoken] = name.split('|') as [string, string, string];
  const isInLanguage = language !== '' && spoken === language;
  const isReadable = isInLanguage || spoken === '' || language === '';
  const isForCountry =
    isReadable && country !== '' && (hostCountry === country || countries.split(',').includes(country));
  return { country: isForCountry ? BOOSTS.country : 0, language: isInLanguage ? BOOSTS.language : 0 };
}

/** The countries that a page is for. */
export function localeCountries(localeName: string): string[] {
  const [hostCountry, countries] = localeName.split('|') as [string, string];
  return [hostCountry, ...countries.split(',')].filter((country) => country !== '');
}

/** The language in a locale name; '' if unknown. */
export const languageOf = (localeName: string): string => localeName.slice(localeName.lastIndexOf('|') + 1);
