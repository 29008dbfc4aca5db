// Brave Search API: an independent index. The web endpoint supports operators in the query.
import type { Source, TimePreset, TimeRange } from '../../../../contracts/search/search-query.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { type Dialect, writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderResult } from '../../provider.ts';
import type { ProblemKind } from '../../provider-problem.ts';
import { httpUrl, list, positive, record, text } from '../../toolkit/answer-fields.ts';
import { expectMember } from '../../toolkit/answer-problem.ts';
import {
  dayBounds,
  knownCountry,
  knownLanguage,
  NO_RESULTS,
  withVerifiableDates,
} from '../../toolkit/request-values.ts';

const MAX_COUNT: Record<Source, number> = { web: 20, news: 50, images: 200 };
const PAGES = 10;
const FRESHNESS: Record<TimePreset, string> = { hour: 'pd', day: 'pd', week: 'pw', month: 'pm', year: 'py' };
const LENGTHS = { maxLength: 400, maxWords: 50 };
const OPERATORS: Dialect = {
  clauses: ['word', 'phrase', 'site', 'filetype', 'intitle'],
  or: 'grouped',
  domains: 'operators',
  ...LENGTHS,
};
const WORDS: Dialect = { clauses: ['word', 'phrase', 'site'], or: 'bare', domains: 'operators', ...LENGTHS };

export const brave: Provider = {
  name: 'brave',
  label: 'Brave Search',
  url: 'https://api.search.brave.com',
  needs: 'key',
  sources: ['web', 'news', 'images'],
  capabilities: (source) => ({
    clauses: source === 'web' ? OPERATORS.clauses : [],
    time: source === 'images' ? 'none' : 'range',
    domains: source === 'web',
    maxCount: MAX_COUNT[source],
    maxPages: source === 'images' ? 1 : PAGES,
  }),

  async search({ query, conditions, source, count, page, now }, { url, key = '', ask, signal }) {
    const { time, language, country, safe } = conditions;
    const wanted = Math.min(count, MAX_COUNT[source]);
    const isPaged = source !== 'images';
    const q = writeQuery(query, source === 'web' ? OPERATORS : WORDS, conditions);
    if (q === '') return NO_RESULTS;
    const answer = await ask.json(
      {
        url: `${url}/res/v1/${source}/search`,
        parameters: {
          q,
          count: wanted,
          // Counts pages, not results.
          offset: isPaged ? page : undefined,
          country: knownCountry(country) ?? 'ALL',
          search_lang: language && knownLanguage(language, country),
          safesearch: safe === undefined ? undefined : safe ? 'strict' : 'off',
          freshness: isPaged && time ? freshnessOf(time, now) : undefined,
          text_decorations: source === 'web' ? false : undefined,
        },
        headers: { 'x-subscription-token': key },
        problemOf,
      },
      signal,
    );
    const found = expectMember(answer, 'type', 'query', 'results', 'web');
    const items = list(source === 'web' ? record(found.web).results : found.results);
    const results = items.flatMap((item) => readResult(record(item), source, now));
    const { more_results_available: hasMore = items.length >= wanted } = record(found.query);
    return {
      results: isPaged ? withVerifiableDates(results, time, now) : results,
      hasMore: isPaged && page < PAGES - 1 && hasMore === true,
    };
  },
};

function freshnessOf(time: TimeRange, now: number): string {
  if (time.preset) return FRESHNESS[time.preset];
  return dayBounds(time, now).join('to');
}

/** An unknown key gets status 422, like invalid parameters. */
function problemOf(_status: number, answer: unknown): ProblemKind | undefined {
  const code = text(record(record(answer).error).code);
  if (/TOKEN_INVALID|SUBSCRIPTION/.test(code)) return 'key';
  return /RATE_LIMITED|QUOTA/.test(code) ? 'quota' : undefined;
}

function readResult(item: Record<string, unknown>, source: Source, now: number): ProviderResult[] {
  const url = httpUrl(item.url);
  const thumbnail = record(item.thumbnail);
  const properties = record(item.properties);
  if (!url || (source === 'images' && !httpUrl(properties.url))) return [];
  const result: ProviderResult = {
    url,
    title: text(item.title),
    description: text(item.description) || text(list(item.extra_snippets)[0]),
    date: readDate(text(item.page_age), now) ?? readDate(text(item.age), now),
  };
  if (source === 'news') result.imageUrl = httpUrl(thumbnail.original) ?? httpUrl(thumbnail.src);
  if (source !== 'images') return [result];
  const image = { imageUrl: httpUrl(properties.url), imageWidth: positive(properties.width) };
  return [{ ...result, ...image, imageHeight: positive(properties.height) }];
}
