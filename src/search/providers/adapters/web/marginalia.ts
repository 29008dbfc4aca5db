// Marginalia Search: an index of the small, old and non-commercial web. It knows no dates.
import { type Dialect, writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderResult } from '../../provider.ts';
import { httpUrl, list, positive, record, text } from '../../toolkit/answer-fields.ts';
import { expectMember } from '../../toolkit/answer-problem.ts';
import { lockedOut } from '../../toolkit/keyless.ts';
import { NO_RESULTS } from '../../toolkit/request-values.ts';

/** Everyone without a key shares this one, and its limit. */
const PUBLIC_KEY = 'public';
const MAX_COUNT = 100;
const DIALECT: Dialect = { clauses: ['word', 'phrase', 'site'], or: 'none', domains: 'operators' };

export const marginalia: Provider = {
  name: 'marginalia',
  label: 'Marginalia Search',
  url: 'https://api2.marginalia-search.com',
  needs: 'nothing',
  sources: ['web'],
  capabilities: () => ({
    clauses: ['word', 'phrase', 'site'],
    time: 'none',
    domains: false,
    maxCount: MAX_COUNT,
    // The limit of the public key is shared by everyone.
    maxPages: 2,
  }),
  // Files, categories and dated pages are not among its results.
  covers: ({ query, conditions }) =>
    conditions.time === undefined &&
    conditions.categories.length === 0 &&
    !query.clauses.some(({ kind, negated }) => !negated && (kind === 'related' || kind === 'filetype')),

  async search({ query, conditions, count, page }, { url, key, ask, signal }) {
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
        headers: { 'api-key': key ?? PUBLIC_KEY },
        // It uses 503 for a rate limit.
        problemOf: (status) => (status === 503 ? 'quota' : key === undefined ? lockedOut(status) : undefined),
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
