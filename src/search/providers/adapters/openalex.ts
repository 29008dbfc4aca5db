// OpenAlex: a catalogue of research. Without a key it allows about a hundred searches a day; free keys allow more.
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
  // Phrases also match other forms of their words.
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
  // The catalogue contains future works, which would sort as the newest.
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

/** It uses 403 for a rate limit. */
const tooFast = (status: number): ProblemKind | undefined => (status === 403 ? 'quota' : undefined);

/** Abstracts come as an inverted index: words with their positions. */
function readAbstract(index: unknown): string {
  const placed: [number, string][] = [];
  for (const [word, positions] of Object.entries(record(index))) {
    for (const position of list(positions)) if (typeof position === 'number') placed.push([position, word]);
    if (placed.length > MAX_ABSTRACT_WORDS) break;
  }
  placed.sort(([a], [b]) => a - b);
  return plainText(placed.map(([, word]) => word).join(' '), 10_000).replace(/^Abstract\s+/, '');
}
