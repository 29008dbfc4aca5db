// You.com's search API: pages and news in one answer.
import type { Source, TimeRange } from '../../../../contracts/search/search-query.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { type Dialect, writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderResult } from '../../provider.ts';
import { httpUrl, list, record, text } from '../../toolkit/answer-fields.ts';
import { expectMember } from '../../toolkit/answer-problem.ts';
import {
  dayBounds,
  domainsOf,
  knownCountry,
  knownLanguage,
  NO_RESULTS,
  withVerifiableDates,
} from '../../toolkit/request-values.ts';

const MAX_COUNT = 100;
const MAX_DOMAINS = 500;
const PAGES = 10;
const DIALECT: Dialect = { clauses: ['word', 'filetype'], or: 'bare', domains: 'none', categories: 'operators' };

export const you: Provider = {
  name: 'you',
  label: 'You.com',
  url: 'https://ydc-index.io',
  needs: 'key',
  sources: ['web', 'news'],
  capabilities: () => ({
    clauses: ['word', 'site', 'filetype'],
    time: 'range',
    domains: true,
    maxCount: MAX_COUNT,
    maxPages: PAGES,
  }),

  async search({ query, conditions, source, count, page, now }, { url, key = '', ask, signal }) {
    const { time, language, country, safe, categories } = conditions;
    // Hosts are a parameter; only the file type needs an operator.
    const written = categories.includes('pdf') ? categories : [];
    const words = writeQuery(query, DIALECT, { ...conditions, categories: written });
    if (words === '') return NO_RESULTS;
    const wanted = Math.min(count, MAX_COUNT);
    const { include, exclude } = domainsOf(query, conditions);
    const answer = await ask.json(
      {
        url: `${url}/v1/search`,
        body: {
          query: words,
          count: wanted,
          offset: page,
          country: knownCountry(country),
          language: language && knownLanguage(language, country)?.toUpperCase(),
          ...(time && { freshness: freshnessOf(time, now) }),
          ...(safe !== undefined && { safesearch: safe ? 'strict' : 'off' }),
          // It accepts only one of the two.
          ...(include.length > 0
            ? { include_domains: include.slice(0, MAX_DOMAINS) }
            : exclude.length > 0 && { exclude_domains: exclude.slice(0, MAX_DOMAINS) }),
        },
        headers: { 'x-api-key': key },
      },
      signal,
    );
    const items = list(record(expectMember(answer, 'results').results)[source]);
    const results = items.flatMap((item) => readResult(record(item), source, now));
    return { results: withVerifiableDates(results, time, now), hasMore: page < PAGES - 1 && items.length >= wanted };
  },
};

function freshnessOf(time: TimeRange, now: number): string {
  if (time.preset) return time.preset === 'hour' ? 'day' : time.preset;
  return dayBounds(time, now).join('to');
}

function readResult(item: Record<string, unknown>, source: Source, now: number): ProviderResult[] {
  const url = httpUrl(item.url);
  if (!url) return [];
  const snippets = list(item.snippets).map((snippet) => text(snippet));
  return [
    {
      url,
      title: text(item.title),
      description: text(item.description) || (snippets.find((snippet) => snippet !== '') ?? ''),
      date: readDate(text(item.page_age), now),
      ...(source === 'news' && { imageUrl: httpUrl(item.thumbnail_url) }),
    },
  ];
}
