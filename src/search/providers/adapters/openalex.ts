// OpenAlex: the catalogue of research. Without a key it answers about a hundred searches a day; a free one lifts that.
import type { Conditions, Query } from '../../../contracts/search-query.ts';
import { readDate } from '../../../util/read-date.ts';
import type { Provider, ProviderResult } from '../provider.ts';
import type { ProblemKind } from '../provider-problem.ts';
import { httpUrl, list, plainText, positive, record, text } from '../toolkit/answer-fields.ts';
import { expectMember } from '../toolkit/answer-problem.ts';
import { dayOf, dayRange } from '../toolkit/day-range.ts';
import { canBeOnHosts, lockedOut } from '../toolkit/keyless.ts';
import { NO_RESULTS } from '../toolkit/request-values.ts';
import { type BooleanSyntax, booleanText, descriptionOf, wordingOf } from '../toolkit/wording.ts';

const MAX_COUNT = 100;
const MAX_ABSTRACT_WORDS = 5_000;
const SYNTAX: BooleanSyntax = { word: (word) => word, phrase: (phrase) => `"${phrase}"`, not: 'NOT' };

export const openalex: Provider = {
  name: 'openalex',
  label: 'OpenAlex',
  url: 'https://api.openalex.org',
  needs: 'nothing',
  sources: ['web'],
  onlyFor: ['research'],
  category: 'research',
  // It finds other forms of the words in a phrase too.
  capabilities: () => ({ clauses: ['word'], time: 'range', domains: false, maxCount: MAX_COUNT, maxPages: 10 }),
  covers: (question) => canBeOnHosts(['doi.org'], question),
  async search({ query, conditions, count, page, now }, { url, key, ask, signal }) {
    const search = booleanText(wordingOf(query), SYNTAX, conditions.sortByDate);
    if (search === '') return NO_RESULTS;
    const size = Math.min(count, MAX_COUNT);
    const answer = await ask.json(
      {
        url: `${url}/works`,
        parameters: {
          search,
          page: page + 1,
          'per-page': size,
          filter: dateFilter(conditions, now),
          sort: conditions.sortByDate ? 'publication_date:desc' : undefined,
          select: 'id,doi,display_name,publication_date,primary_location,abstract_inverted_index',
          api_key: key,
        },
        problemOf: key === undefined ? lockedOut : tooFast,
      },
      signal,
    );
    const found = expectMember(answer, 'results');
    return {
      results: list(found.results).flatMap((work) => readWork(work, query, now)),
      hasMore: (page + 1) * size < (positive(record(found.meta).count) ?? 0),
    };
  },
};

function dateFilter({ time, sortByDate }: Conditions, now: number): string | undefined {
  // The catalogue has works of years to come, which would be the newest.
  const { first, last = sortByDate ? dayOf(now) : undefined } = dayRange(time);
  const filters = [first && `from_publication_date:${first}`, last && `to_publication_date:${last}`].filter(Boolean);
  return filters.length > 0 ? filters.join(',') : undefined;
}

function readWork(work: unknown, query: Query, now: number): ProviderResult[] {
  const { id, doi, display_name, publication_date, primary_location, abstract_inverted_index } = record(work);
  const url = httpUrl(doi) ?? httpUrl(record(primary_location).landing_page_url) ?? httpUrl(id);
  if (url === undefined) return [];
  return [
    {
      url,
      title: text(display_name),
      description: descriptionOf(readAbstract(abstract_inverted_index), query),
      date: readDate(text(publication_date), now),
    },
  ];
}

/** 403 is its word for that. */
const tooFast = (status: number): ProblemKind | undefined => (status === 403 ? 'quota' : undefined);

/** Abstracts come as words with their places. */
function readAbstract(index: unknown): string {
  const placed: [number, string][] = [];
  for (const [word, places] of Object.entries(record(index))) {
    for (const place of list(places)) if (typeof place === 'number') placed.push([place, word]);
    if (placed.length > MAX_ABSTRACT_WORDS) break;
  }
  placed.sort(([a], [b]) => a - b);
  return plainText(placed.map(([, word]) => word).join(' '), 10_000).replace(/^Abstract\s+/, '');
}
