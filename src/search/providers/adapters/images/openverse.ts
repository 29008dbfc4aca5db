// Openverse: openly licensed images from many collections.
import { type Dialect, writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderResult } from '../../provider.ts';
import { httpUrl, list, positive, record, text } from '../../toolkit/answer-fields.ts';
import { expectMember } from '../../toolkit/answer-problem.ts';
import { lockedOut } from '../../toolkit/keyless.ts';
import { NO_RESULTS } from '../../toolkit/request-values.ts';
import { rankingWordsLast } from '../../toolkit/wording.ts';

// The limit without an account.
const MAX_COUNT = 20;
const MAX_PAGES = 10;
const DIALECT: Dialect = { clauses: ['word', 'phrase'], domains: 'none', maxLength: 200 };

export const openverse: Provider = {
  name: 'openverse',
  label: 'Openverse',
  url: 'https://api.openverse.org',
  needs: 'nothing',
  sources: ['images'],
  capabilities: () => ({
    clauses: ['word', 'phrase'],
    time: 'none',
    domains: false,
    maxCount: MAX_COUNT,
    maxPages: MAX_PAGES,
  }),
  covers: ({ conditions }) => conditions.time === undefined,
  async search({ query, count, page }, { url, ask, signal }) {
    const q = writeQuery(rankingWordsLast(query), DIALECT);
    if (q === '') return NO_RESULTS;
    const answer = await ask.json(
      {
        url: `${url}/v1/images/`,
        parameters: { q, page: page + 1, page_size: Math.min(count, MAX_COUNT) },
        problemOf: lockedOut,
      },
      signal,
    );
    const found = expectMember(answer, 'results');
    return {
      results: list(found.results).flatMap(readPicture),
      hasMore: page + 1 < Math.min(positive(found.page_count) ?? 0, MAX_PAGES),
    };
  },
};

function readPicture(item: unknown): ProviderResult[] {
  const { foreign_landing_url, url: address, title, creator, width, height } = record(item);
  const url = httpUrl(foreign_landing_url);
  const imageUrl = httpUrl(address);
  if (url === undefined || imageUrl === undefined) return [];
  const by = text(creator, 200);
  return [
    {
      url,
      title: text(title),
      description: by === '' ? '' : `By ${by}`,
      imageUrl,
      imageWidth: positive(width),
      imageHeight: positive(height),
    },
  ];
}
