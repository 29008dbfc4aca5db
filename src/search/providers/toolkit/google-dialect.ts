// Google's query syntax and time filters, for all providers that search Google.
import type { Clause, Conditions, Source, TimeRange } from '../../../contracts/search/search-query.ts';
import type { Dialect } from '../../query/write-query.ts';
import type { ProviderResult } from '../provider.ts';
import { dayRange } from './day-range.ts';
import { withVerifiableDates } from './request-values.ts';

const COMMON: Clause['kind'][] = ['word', 'phrase', 'site', 'inurl', 'allinurl', 'intitle', 'allintitle'];

export const GOOGLE_CLAUSES: Record<Source, readonly Clause['kind'][]> = {
  web: [...COMMON, 'filetype', 'related'],
  news: COMMON,
  images: [...COMMON, 'filetype', 'imagesize', 'larger'],
};

export const googleDialect = (source: Source): Dialect => ({
  clauses: GOOGLE_CLAUSES[source],
  or: 'grouped',
  domains: 'operators',
});

export function googleTbs({ time, sortByDate }: Conditions): string | undefined {
  const parts: string[] = [];
  if (time?.preset) parts.push(`qdr:${time.preset[0]}`);
  else if (time) {
    const { first, last } = dayRange(time);
    parts.push('cdr:1');
    if (first) parts.push(`cd_min:${americanDay(first)}`);
    if (last) parts.push(`cd_max:${americanDay(last)}`);
  }
  if (sortByDate) parts.push('sbd:1');
  return parts.length > 0 ? parts.join(',') : undefined;
}

function americanDay(isoDay: string): string {
  const [year, month, day] = isoDay.split('-');
  return `${month}/${day}/${year}`;
}

/** Google's presets are exact to the hour; other ranges are whole days. */
export const withVerifiableGoogleDates = (
  results: ProviderResult[],
  time: TimeRange | undefined,
  now: number,
): ProviderResult[] => (time?.preset ? results : withVerifiableDates(results, time, now));
