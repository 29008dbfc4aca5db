// Another server with the same search API as this one.
import { SOURCES, type Source } from '../../../../contracts/search/search-query.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import type { Provider, ProviderResult } from '../../provider.ts';
import { httpUrl, list, plainText, positive, record } from '../../toolkit/answer-fields.ts';
import { expectMember, problem, problemKindOf } from '../../toolkit/answer-problem.ts';
import { googleTbs } from '../../toolkit/google-dialect.ts';

const MAX_COUNT = 100;

export const v2: Provider = {
  name: 'v2',
  label: 'v2 server',
  needs: 'url',
  sources: SOURCES,
  capabilities: () => ({
    clauses: [
      'word',
      'phrase',
      'site',
      'filetype',
      'inurl',
      'allinurl',
      'intitle',
      'allintitle',
      'related',
      'imagesize',
      'larger',
    ],
    time: 'range',
    domains: true,
    maxCount: MAX_COUNT,
    maxPages: 1,
  }),

  async search({ query, conditions, source, count, now }, { url, key, ask, signal }) {
    const { includeDomains, excludeDomains, categories, country, language, location } = conditions;
    const answer = await ask.json(
      {
        url: `${url}/v2/search`,
        body: {
          query: query.text,
          limit: Math.min(count, MAX_COUNT),
          sources: [{ type: source }],
          country,
          lang: language,
          location,
          tbs: googleTbs(conditions),
          ...(categories.length > 0 && { categories: categories.map((type) => ({ type })) }),
          ...(includeDomains.length > 0 && { includeDomains }),
          ...(excludeDomains.length > 0 && { excludeDomains }),
        },
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      },
      signal,
    );
    const { success, data, error } = expectMember(answer, 'data', 'error');
    if (success === false) throw problem(problemKindOf(plainText(error)));
    const items = list(record(data)[source]);
    return { results: items.flatMap((item) => readResult(record(item), source, now)), hasMore: false };
  },
};

function readResult(item: Record<string, unknown>, source: Source, now: number): ProviderResult[] {
  const url = httpUrl(item.url);
  const imageUrl = httpUrl(item.imageUrl);
  if (!url || (source === 'images' && !imageUrl)) return [];
  return [
    {
      url,
      title: plainText(item.title),
      description: plainText(item.description) || plainText(item.snippet),
      date: readDate(plainText(item.date), now),
      ...(source !== 'web' && { imageUrl }),
      ...(source === 'images' && { imageWidth: positive(item.imageWidth), imageHeight: positive(item.imageHeight) }),
    },
  ];
}
