// Marginalia Search: an index of the small, old and non-commercial web.
import { type Dialect, writeQuery } from '../../query/write-query.ts';
import type { Provider, ProviderResult } from '../provider.ts';
import { httpUrl, list, positive, record, text } from '../toolkit/answer-fields.ts';
import { expectMember } from '../toolkit/answer-problem.ts';
import { NO_RESULTS } from '../toolkit/request-values.ts';

const MAX_COUNT = 100;
const DIALECT: Dialect = { clauses: ['word', 'phrase', 'site'], or: 'none', domains: 'operators' };

export const marginalia: Provider = {
  name: 'marginalia',
  label: 'Marginalia Search',
  url: 'https://api2.marginalia-search.com',
  needs: 'key',
  sources: ['web'],
  capabilities: () => ({
    clauses: ['word', 'phrase', 'site'],
    time: 'none',
    domains: false,
    maxCount: MAX_COUNT,
    maxPages: 10,
  }),

  async search({ query, conditions, count, page }, { url, key = '', ask, signal }) {
    const { language, safe, includeDomains } = conditions;
    const wanted = Math.min(count, MAX_COUNT);
    const words = writeQuery(query, DIALECT, conditions);
    if (words === '') return NO_RESULTS;
    const isOneSite =
      includeDomains.length > 0 || query.clauses.some(({ kind, negated }) => kind === 'site' && !negated);
    const answer = await ask.json(
      {
        url: `${url}/search`,
        parameters: {
          query: words,
          count: wanted,
          page: page + 1,
          // The default is two results per host.
          dc: isOneSite ? wanted : undefined,
          nsfw: safe === undefined ? undefined : Number(safe),
          lang: language,
        },
        headers: { 'api-key': key },
        // It uses 503 for a rate limit.
        problemOf: (status) => (status === 503 ? 'quota' : undefined),
      },
      signal,
    );
    const found = expectMember(answer, 'results');
    const items = list(found.results);
    const pages = positive(found.pages);
    return {
      results: items.flatMap((item) => readResult(record(item))),
      hasMore: pages === undefined ? items.length >= wanted : page + 1 < pages,
    };
  },
};

function readResult(item: Record<string, unknown>): ProviderResult[] {
  const url = httpUrl(item.url);
  return url ? [{ url, title: text(item.title), description: text(item.description) }] : [];
}
