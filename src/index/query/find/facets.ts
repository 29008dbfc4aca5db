// Counts the pages of a result by host, language, kind and date, so that people can narrow it down.
import type { FacetCount, Facets, IndexFind } from '../../page-index.ts';
import type { PageColumns } from '../../pages/page-columns.ts';
import { kindOf } from '../../pages/page-kind.ts';
import { languageOf } from '../../ranking/ranking-signals.ts';

export const MOST_VALUES = 20;
const DAY = 86_400_000;
/** Each range includes the shorter ones. The names are those of `tbs`. */
export const DATE_RANGES = { 'qdr:d': DAY, 'qdr:w': 7 * DAY, 'qdr:m': 30 * DAY, 'qdr:y': 365 * DAY } as const;

/** How many pages a result has, and of what. */
export interface CountedFacets extends Facets {
  pages: number;
}

/** `countFor` counts the pages of a search. Each facet that has a filter is counted without it. */
export function countFacets(find: IndexFind, countFor: (narrowed: IndexFind) => CountedFacets): Facets {
  const { conditions, languages = [], kinds = [] } = find;
  const { time, ...timeless } = conditions;
  const all = countFor(find);
  const withoutHosts = { ...find, conditions: { ...conditions, includeDomains: [] } };
  return {
    hosts: (conditions.includeDomains.length > 0 ? countFor(withoutHosts) : all).hosts,
    languages: (languages.length > 0 ? countFor({ ...find, languages: [] }) : all).languages,
    kinds: (kinds.length > 0 ? countFor({ ...find, kinds: [] }) : all).kinds,
    dates: (time ? countFor({ ...find, conditions: timeless }) : all).dates,
  };
}

export function countPages(columns: PageColumns, docIds: readonly number[], now: number): CountedFacets {
  const { hosts, locales, types, host, locale, type, flags } = columns;
  return {
    pages: docIds.length,
    get hosts() {
      return countBy(docIds, (docId) => hosts.list[host[docId]!]!);
    },
    get languages() {
      return countBy(docIds, (docId) => languageOf(locales.list[locale[docId]!]!));
    },
    get kinds() {
      return countBy(docIds, (docId) => kindOf(types.list[type[docId]!]!, flags[docId]!));
    },
    get dates() {
      return countDates(columns, docIds, now);
    },
  };
}

function countBy(docIds: readonly number[], nameOf: (docId: number) => string): FacetCount[] {
  const counts = new Map<string, number>();
  for (const docId of docIds) {
    const value = nameOf(docId);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, pages]) => ({ value, pages }))
    .sort((a, b) => b.pages - a.pages || (a.value < b.value ? -1 : 1))
    .slice(0, MOST_VALUES);
}

function countDates({ date }: PageColumns, docIds: readonly number[], now: number): FacetCount[] {
  const ranges = Object.entries(DATE_RANGES).map(([value, ms]) => ({ value, from: now - ms, pages: 0 }));
  for (const docId of docIds) {
    for (const range of ranges) if (date[docId]! >= range.from) range.pages += 1;
  }
  return ranges.map(({ value, pages }) => ({ value, pages }));
}
