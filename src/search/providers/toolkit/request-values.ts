// Request values that several providers share: times, hosts, countries and languages.
import type { Conditions, Query, TimePreset, TimeRange } from '../../../contracts/search/search-query.ts';
import { hostsOfCategory } from '../../../urls/categories.ts';
import { bareTwin } from '../../../urls/listed-domains.ts';
import type { ProviderAnswer, ProviderResult } from '../provider.ts';
import { dayOf, dayRange } from './day-range.ts';

const DAY_MS = 86_400_000;
const PRESET_DAYS: [preset: TimePreset, days: number][] = [
  ['day', 1],
  ['week', 7],
  ['month', 30],
  ['year', 365],
];
/** For providers that require a start date. */
const BEGINNING = '1970-01-01';

/** The answer when nothing of the query can be sent to the provider. */
export const NO_RESULTS: ProviderAnswer = { results: [], hasMore: false };

/** First and last day of the range, inclusive, for providers that require both. */
export function dayBounds(time: TimeRange, now: number): [first: string, last: string] {
  const { first = BEGINNING, last = dayOf(now) } = dayRange(time);
  return [first, last];
}

/** `20261005` for `2026-10-05`. */
export const compactDay = (day: string): string => day.replaceAll('-', '');

/** The shortest preset of at least a day that covers the range; undefined if none does. */
export function coveringPreset({ from, preset }: TimeRange, now: number): TimePreset | undefined {
  if (preset) return preset === 'hour' ? 'day' : preset;
  if (from === undefined) return undefined;
  return PRESET_DAYS.find(([, days]) => now - from <= days * DAY_MS)?.[0];
}

/** Providers filter by whole days, so for shorter ranges only results with their own date are kept. */
export function withVerifiableDates(
  results: ProviderResult[],
  time: TimeRange | undefined,
  now: number,
): ProviderResult[] {
  if (time?.from === undefined || (time.until ?? now) - time.from >= DAY_MS) return results;
  return results.filter(({ date }) => date !== undefined);
}

/** Combines sites, domains and categories, for providers with host parameters. */
export function domainsOf({ clauses }: Query, conditions: Conditions): { include: string[]; exclude: string[] } {
  const include = new Set<string>();
  const exclude = new Set(conditions.excludeDomains);
  for (const clause of clauses) {
    if (clause.kind !== 'site') continue;
    if (!clause.negated) include.add(clause.host);
    // A path cannot be excluded without the whole site.
    else if (clause.path === '') exclude.add(clause.host);
  }
  const hosts = conditions.categories.map(hostsOfCategory);
  // A category without a list of hosts can match anywhere.
  const categoryHosts = hosts.every((some) => some.length > 0) ? hosts.flat() : [];
  // The twin includes the host itself, and the results are checked anyway.
  const domains = conditions.includeDomains.map((host) => bareTwin(host) ?? host);
  const choices = [[...include], domains, categoryHosts];
  return { include: [...(choices.find((choice) => choice.length > 0) ?? [])], exclude: [...exclude] };
}

const COUNTRIES = new Set(
  'AR AT AU BE BR CA CH CL CN DE DK ES FI FR GB HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE TR TW US ZA'.split(
    ' ',
  ),
);
const LANGUAGES = new Set(
  (
    'ar bg bn ca cs da de el en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl pa pl ro ru sk sl sr ' +
    'sv ta te th tr uk vi'
  ).split(' '),
);

/** The countries that Brave and You.com support. */
export const knownCountry = (country: string): string | undefined => (COUNTRIES.has(country) ? country : undefined);

/** The languages that Brave and You.com support, in their spelling; they reject others. */
export function knownLanguage(language: string, country: string): string | undefined {
  if (language === 'ja') return 'jp';
  if (language === 'no') return 'nb';
  if (language === 'pt') return country === 'BR' ? 'pt-br' : 'pt-pt';
  if (language === 'zh') return country === 'TW' || country === 'HK' ? 'zh-hant' : 'zh-hans';
  return LANGUAGES.has(language) ? language : undefined;
}
