// Serper: Google results through a paid API.
import type { Source } from '../../../../contracts/search/search-query.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderResult } from '../../provider.ts';
import { httpUrl, list, plainText, positive, record } from '../../toolkit/answer-fields.ts';
import { expectMember, problemKindOf } from '../../toolkit/answer-problem.ts';
import { GOOGLE_CLAUSES, googleDialect, googleTbs, withVerifiableGoogleDates } from '../../toolkit/google-dialect.ts';
import { NO_RESULTS } from '../../toolkit/request-values.ts';

const PATHS: Record<Source, string> = { web: 'search', news: 'news', images: 'images' };
const MEMBERS: Record<Source, string> = { web: 'organic', news: 'news', images: 'images' };
/** Google always returns ten results per page, more only for images. */
const MAX_COUNT: Record<Source, number> = { web: 10, news: 10, images: 100 };

export const serper: Provider = {
  name: 'serper',
  label: 'Serper',
  url: 'https://google.serper.dev',
  needs: 'key',
  sources: ['web', 'news', 'images'],
  capabilities: (source) => ({
    clauses: GOOGLE_CLAUSES[source],
    time: 'range',
    domains: true,
    maxCount: MAX_COUNT[source],
    maxPages: 10,
  }),

  async search({ query, conditions, source, count, page, now }, { url, key = '', ask, signal }) {
    const q = writeQuery(query, googleDialect(source), conditions);
    if (q === '') return NO_RESULTS;
    const answer = await ask.json(
      {
        url: `${url}/${PATHS[source]}`,
        body: {
          q,
          gl: conditions.country.toLowerCase(),
          hl: conditions.language,
          location: conditions.location,
          tbs: googleTbs(conditions),
          num: source === 'images' && count > 10 ? 100 : 10,
          page: page + 1,
        },
        headers: { 'x-api-key': key },
        // It uses 400 when the credits are used up.
        problemOf: (status, refusal) =>
          status === 400 ? problemKindOf(plainText(record(refusal).message)) : undefined,
      },
      signal,
    );
    const found = expectMember(answer, 'searchParameters', MEMBERS[source]);
    const items = list(found[MEMBERS[source]]);
    const results = items.flatMap((item) => readResult(record(item), source, now));
    return { results: withVerifiableGoogleDates(results, conditions.time, now), hasMore: items.length > 0 };
  },
};

function readResult(item: Record<string, unknown>, source: Source, now: number): ProviderResult[] {
  const url = httpUrl(item.link);
  const imageUrl = httpUrl(item.imageUrl);
  if (!url || (source === 'images' && !imageUrl)) return [];
  return [
    {
      url,
      title: plainText(item.title),
      description: plainText(item.snippet),
      date: readDate(plainText(item.date), now),
      ...(source !== 'web' && { imageUrl }),
      ...(source === 'images' && { imageWidth: positive(item.imageWidth), imageHeight: positive(item.imageHeight) }),
    },
  ];
}
