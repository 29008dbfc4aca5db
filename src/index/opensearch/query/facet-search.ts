// Counts all pages of a search by host, language, kind and date in OpenSearch, where they are too many to fetch.
import type { IndexSearch } from '../../page-index.ts';
import { pageKey } from '../../pages/url-key.ts';
import { type CountedFacets, DATE_RANGES, MOST_VALUES } from '../../query/find/facets.ts';
import type { CandidateSearch, LoadSummary } from './fetched.ts';
import type { ScopeClauses } from './filter-clauses.ts';

export function facetSearch(
  { filter, mustNot }: ScopeClauses,
  { viewer, now }: IndexSearch,
  apartUrls: readonly string[],
  isApart: boolean,
): CandidateSearch {
  const keys = apartUrls.flatMap((url) => viewer.map((owner) => pageKey(owner, url)));
  const apart = keys.length > 0 ? [{ terms: { key: keys } }] : [];
  const byValue = (field: string) => ({
    terms: { field, size: MOST_VALUES, order: [{ _count: 'desc' }, { _key: 'asc' }] },
  });
  const ranges = Object.entries(DATE_RANGES).map(([key, ms]) => ({ key, from: now - ms }));
  return {
    size: 0,
    track_total_hits: true,
    query: {
      bool: { filter: [...filter, ...(isApart ? apart : [])], must_not: [...mustNot, ...(isApart ? [] : apart)] },
    },
    aggs: {
      hosts: byValue('host'),
      languages: byValue('language'),
      kinds: byValue('pageKind'),
      dates: { range: { field: 'date', ranges, keyed: true } },
    },
  };
}

export function readFacets({ total, aggregations }: LoadSummary): CountedFacets {
  const values = (name: string) =>
    (aggregations![name].buckets as { key: string; doc_count: number }[]).map(({ key, doc_count }) => ({
      value: key,
      pages: doc_count,
    }));
  const dates = aggregations!.dates.buckets as Record<string, { doc_count: number }>;
  return {
    pages: total,
    hosts: values('hosts'),
    languages: values('languages'),
    kinds: values('kinds'),
    dates: Object.keys(DATE_RANGES).map((value) => ({ value, pages: dates[value]!.doc_count })),
  };
}
