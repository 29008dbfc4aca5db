// Kagi's search API: pages, news and images, with operators in the query.
import type { Source } from '../../../../contracts/search/search-query.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { type Dialect, writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderContext, ProviderResult } from '../../provider.ts';
import { type ProblemKind, ProviderProblem } from '../../provider-problem.ts';
import { httpUrl, list, positive, record, text } from '../../toolkit/answer-fields.ts';
import { expectMember, problem, problemKindOf } from '../../toolkit/answer-problem.ts';
import { dayRange } from '../../toolkit/day-range.ts';
import { NO_RESULTS, withVerifiableDates } from '../../toolkit/request-values.ts';

const MAX_COUNT = 25;
const PAGES = 10;
const WORKFLOWS: Record<Source, string> = { web: 'search', news: 'news', images: 'images' };
const MEMBERS: Record<Source, string> = { web: 'search', news: 'news', images: 'image' };
const DIALECT: Dialect = {
  clauses: ['word', 'phrase', 'site', 'filetype', 'inurl', 'intitle'],
  or: 'bare',
  domains: 'operators',
};

export const kagi: Provider = {
  name: 'kagi',
  label: 'Kagi',
  url: 'https://kagi.com',
  needs: 'key',
  sources: ['web', 'news', 'images'],
  capabilities: (source) => ({
    clauses: source === 'web' ? DIALECT.clauses : [],
    time: source === 'images' ? 'none' : 'presets',
    domains: source === 'web',
    maxCount: MAX_COUNT,
    maxPages: source === 'images' ? 1 : PAGES,
  }),

  async search({ query, conditions, source, count, page, now }, context) {
    const { time, country, safe } = conditions;
    const words = writeQuery(query, DIALECT, conditions);
    if (words === '') return NO_RESULTS;
    const { first, last } = dayRange(time);
    const answer = await askEitherWay(
      {
        query: words,
        workflow: WORKFLOWS[source],
        page: page + 1,
        limit: Math.min(count, MAX_COUNT),
        ...(safe !== undefined && { safe_search: safe }),
        filters: { region: country.toLowerCase(), after: first, before: last },
      },
      context,
    );
    const { data, error } = expectMember(answer, 'data', 'error');
    if (!data && error) throw problem(problemKindOf(wordsOf(error)));
    const items = itemsOf(data, source);
    const results = items.flatMap((item) => readResult(item, source, now));
    return {
      results: source === 'images' ? results : withVerifiableDates(results, time, now),
      hasMore: source !== 'images' && page < PAGES - 1 && items.length > 0,
    };
  },
};

/** The documentation uses one authorization scheme, newer keys another. */
async function askEitherWay(body: unknown, { url, key = '', ask, signal }: ProviderContext): Promise<unknown> {
  const askAs = (scheme: string) =>
    ask.json({ url: `${url}/api/v1/search`, body, headers: { authorization: `${scheme} ${key}` }, problemOf }, signal);
  try {
    return await askAs('Bearer');
  } catch (error) {
    if (!(error instanceof ProviderProblem) || error.kind !== 'key') throw error;
    return askAs('Bot');
  }
}

function problemOf(status: number, answer: unknown): ProblemKind | undefined {
  const words = wordsOf(record(answer).error);
  return status < 500 && words !== '' ? problemKindOf(words) : undefined;
}

const wordsOf = (error: unknown): string =>
  (Array.isArray(error) ? error : [error]).map((item) => text(item) || text(record(item).msg)).join(' ');

/** One list per kind; in the older API a single list, in which `t: 0` marks a result. */
function itemsOf(data: unknown, source: Source): Record<string, unknown>[] {
  if (Array.isArray(data)) return data.map(record).filter(({ t }) => t === 0);
  return list(record(data)[MEMBERS[source]]).map(record);
}

function readResult(item: Record<string, unknown>, source: Source, now: number): ProviderResult[] {
  const url = httpUrl(item.url);
  const image = record(item.image);
  const imageUrl = httpUrl(image.url) ?? httpUrl(record(item.thumbnail).url);
  if (!url || (source === 'images' && !imageUrl)) return [];
  return [
    {
      url,
      title: text(item.title),
      description: text(item.snippet),
      date: readDate(text(item.time) || text(item.published), now),
      ...(source !== 'web' && { imageUrl }),
      ...(source === 'images' && { imageWidth: positive(image.width), imageHeight: positive(image.height) }),
    },
  ];
}
