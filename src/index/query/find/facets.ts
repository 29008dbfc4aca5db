// Counts the pages of a result by host, language, kind and date, so that people can narrow it down.
import type { FacetCount, Facets, IndexFind } from '../../page-index.ts';
import type { PageColumns } from '../../pages/page-columns.ts';
import { kindOf } from '../../pages/page-kind.ts';
import { languageOf } from '../../ranking/ranking-signals.ts';

const MOST_VALUES = 20;
const DAY = 86_400_000;
/** Each range includes the shorter ones. The names are those of `tbs`. */
const DATE_RANGES = { 'qdr:d': DAY, 'qdr:w': 7 * DAY, 'qdr:m': 30 * DAY, 'qdr:y': 365 * DAY } as const;

/** `docsFor` gives the pages of a search. Each facet that has a filter is counted without it. */
export function countFacets(
  columns: PageColumns,
  find: IndexFind,
  docsFor: (narrowed: IndexFind) => readonly number[],
): Facets {
  const { conditions, languages = [], kinds = [], now } = find;
  const { time, ...timeless } = conditions;
  const all = docsFor(find);
  const withoutHosts = { ...find, conditions: { ...conditions, includeDomains: [] } };
  const docs = {
    hosts: conditions.includeDomains.length > 0 ? docsFor(withoutHosts) : all,
    languages: languages.length > 0 ? docsFor({ ...find, languages: [] }) : all,
    kinds: kinds.length > 0 ? docsFor({ ...find, kinds: [] }) : all,
    dates: time ? docsFor({ ...find, conditions: timeless }) : all,
  };
  const { hosts, locales, types, host, locale, type, flags } = columns;
  return {
    hosts: countBy(docs.hosts, (docId) => hosts.list[host[docId]!]!),
    languages: countBy(docs.languages, (docId) => languageOf(locales.list[locale[docId]!]!)),
    kinds: countBy(docs.kinds, (docId) => kindOf(types.list[type[docId]!]!, flags[docId]!)),
    dates: countDates(columns, docs.dates, now),
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
