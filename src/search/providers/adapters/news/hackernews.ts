// Hacker News stories through Algolia. The result is the page that a story links to, else its discussion.
import type { TimeRange } from '../../../../contracts/search/search-query.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { type Dialect, writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderResult } from '../../provider.ts';
import { httpUrl, list, positive, record, text } from '../../toolkit/answer-fields.ts';
import { expectMember } from '../../toolkit/answer-problem.ts';
import { lockedOut } from '../../toolkit/keyless.ts';
import { NO_RESULTS } from '../../toolkit/request-values.ts';

const MAX_COUNT = 100;
const MAX_RESULTS = 1_000;
const DIALECT: Dialect = { clauses: ['word', 'phrase'], domains: 'none', maxLength: 500 };

export const hackernews: Provider = {
  name: 'hackernews',
  label: 'Hacker News',
  url: 'https://hn.algolia.com',
  needs: 'nothing',
  sources: ['news'],
  capabilities: () => ({
    clauses: ['word', 'phrase'],
    time: 'range',
    domains: false,
    maxCount: MAX_COUNT,
    maxPages: 10,
  }),
  async search({ query, conditions, count, page, now }, { url, ask, signal }) {
    const words = writeQuery(query, DIALECT);
    const size = Math.min(count, MAX_COUNT);
    if (words === '' || page * size >= MAX_RESULTS) return NO_RESULTS;
    const answer = await ask.json(
      {
        url: `${url}/api/v1/${conditions.sortByDate ? 'search_by_date' : 'search'}`,
        parameters: {
          query: words,
          tags: 'story',
          // Honours quotes and minus signs. Not every word of a long question has to match.
          advancedSyntax: true,
          removeWordsIfNoResults: 'allOptional',
          numericFilters: timeFilter(conditions.time),
          hitsPerPage: size,
          page,
        },
        problemOf: lockedOut,
      },
      signal,
    );
    const found = expectMember(answer, 'hits');
    return {
      results: list(found.hits).flatMap((hit) => readStory(hit, now)),
      hasMore: page + 1 < (positive(found.nbPages) ?? 0),
    };
  },
};

function readStory(hit: unknown, now: number): ProviderResult[] {
  const { url, objectID, title, story_text, created_at } = record(hit);
  const id = text(objectID);
  const own = /^\d{1,12}$/.test(id) ? `https://news.ycombinator.com/item?id=${id}` : undefined;
  const address = httpUrl(url) ?? own;
  if (address === undefined) return [];
  return [
    { url: address, title: text(title), description: text(story_text, 500), date: readDate(text(created_at), now) },
  ];
}

function timeFilter({ from, until }: TimeRange = {}): string | undefined {
  const filters = [
    ...(from === undefined ? [] : [`created_at_i>=${Math.ceil(from / 1000)}`]),
    ...(until === undefined ? [] : [`created_at_i<${Math.ceil(until / 1000)}`]),
  ];
  return filters.length > 0 ? filters.join(',') : undefined;
}
