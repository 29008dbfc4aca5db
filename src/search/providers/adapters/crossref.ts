// Crossref: publications with a DOI. It ranks by words and has no operators.
import type { Conditions, Query } from '../../../contracts/search-query.ts';
import { type Dialect, writeQuery } from '../../query/write-query.ts';
import type { Provider, ProviderResult } from '../provider.ts';
import { list, positive, record, text } from '../toolkit/answer-fields.ts';
import { expectMember } from '../toolkit/answer-problem.ts';
import { dayOf, dayRange } from '../toolkit/day-range.ts';
import { canBeOnHosts, lockedOut } from '../toolkit/keyless.ts';
import { NO_RESULTS } from '../toolkit/request-values.ts';
import { descriptionOf } from '../toolkit/wording.ts';

const MAX_COUNT = 100;
const MAX_OFFSET = 9_900;
const DIALECT: Dialect = { clauses: ['word'], negated: [], domains: 'none' };
const DAY_MS = 86_400_000;

export const crossref: Provider = {
  name: 'crossref',
  label: 'Crossref',
  url: 'https://api.crossref.org',
  needs: 'nothing',
  sources: ['web'],
  onlyFor: ['research'],
  category: 'research',
  capabilities: () => ({ clauses: [], time: 'range', domains: false, maxCount: MAX_COUNT, maxPages: 10 }),
  covers: (question) => canBeOnHosts(['doi.org'], question),
  async search({ query, conditions, count, page, now }, { url, ask, signal }) {
    const words = writeQuery(query, DIALECT);
    const size = Math.min(count, MAX_COUNT);
    if (words === '' || page * size > MAX_OFFSET) return NO_RESULTS;
    const answer = await ask.json(
      {
        url: `${url}/works`,
        parameters: {
          query: words,
          rows: size,
          offset: page * size,
          filter: dateFilter(conditions, now),
          ...(conditions.sortByDate && { sort: 'published', order: 'desc' }),
          select: 'DOI,title,abstract,published,container-title',
        },
        problemOf: lockedOut,
      },
      signal,
    );
    const { items, 'total-results': total } = expectMember(record(answer).message, 'items');
    return {
      results: list(items).flatMap((item) => readWork(item, query, now)),
      hasMore: (page + 1) * size < (positive(total) ?? 0),
    };
  },
};

function dateFilter({ time, sortByDate }: Conditions, now: number): string | undefined {
  // Publishers announce future publications, which would sort as the newest.
  const { first, last = sortByDate ? dayOf(now) : undefined } = dayRange(time);
  const filters = [first && `from-pub-date:${first}`, last && `until-pub-date:${last}`].filter(Boolean);
  return filters.length > 0 ? filters.join(',') : undefined;
}

function readWork(item: unknown, query: Query, now: number): ProviderResult[] {
  const work = record(item);
  if (typeof work.DOI !== 'string' || !/^10\.\d{2,9}\/\S{1,500}$/.test(work.DOI)) return [];
  const abstract = text(work.abstract, 10_000).replace(/^(?:abstract|summary)[\s.:]+/i, '');
  return [
    {
      url: `https://doi.org/${encodeURI(work.DOI.toWellFormed()).replace(/[?#]/g, encodeURIComponent)}`,
      title: text(list(work.title)[0]),
      description: abstract === '' ? text(list(work['container-title'])[0]) : descriptionOf(abstract, query),
      date: readParts(work.published, now),
    },
  ];
}

/** [[year, month, day]]; month and day may be missing, then the earliest possible day counts. */
function readParts(published: unknown, now: number): number | undefined {
  const [year, month, day] = list(list(record(published)['date-parts'])[0]).map(positive);
  if (year === undefined || year < 1400) return undefined;
  const date = Date.UTC(year, (month ?? 1) - 1, day ?? 1);
  return date > now + DAY_MS || Number.isNaN(date) ? undefined : date;
}
