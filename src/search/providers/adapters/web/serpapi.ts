// SerpApi: Google results through a paid API.
import type { Source } from '../../../../contracts/search/search-query.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderResult } from '../../provider.ts';
import { httpUrl, list, plainText, positive, record } from '../../toolkit/answer-fields.ts';
import { expectMember, problem, problemKindOf } from '../../toolkit/answer-problem.ts';
import { GOOGLE_CLAUSES, googleDialect, googleTbs, withVerifiableGoogleDates } from '../../toolkit/google-dialect.ts';
import { NO_RESULTS } from '../../toolkit/request-values.ts';

const MEMBERS: Record<Source, string> = { web: 'organic_results', news: 'news_results', images: 'images_results' };
const PER_PAGE = 10;
const EMPTY_ANSWER = /hasn't returned any results/i;

export const serpapi: Provider = {
  name: 'serpapi',
  label: 'SerpApi',
  url: 'https://serpapi.com',
  needs: 'key',
  sources: ['web', 'news', 'images'],
  capabilities: (source) => ({
    clauses: GOOGLE_CLAUSES[source],
    time: 'range',
    domains: true,
    maxCount: source === 'images' ? 100 : PER_PAGE,
    maxPages: 10,
  }),

  async search({ query, conditions, source, page, now }, { url, key, ask, signal }) {
    const { country, language, location, safe, time } = conditions;
    const q = writeQuery(query, googleDialect(source), conditions);
    if (q === '') return NO_RESULTS;
    const answer = await ask.json(
      {
        url: `${url}/search.json`,
        parameters: {
          engine: source === 'images' ? 'google_images' : 'google',
          tbm: source === 'news' ? 'nws' : undefined,
          q,
          gl: country.toLowerCase(),
          hl: language,
          location,
          tbs: googleTbs(conditions),
          safe: safe === undefined ? undefined : safe ? 'active' : 'off',
          start: source === 'images' || page === 0 ? undefined : page * PER_PAGE,
          ijn: source === 'images' ? page : undefined,
          api_key: key,
        },
        problemOf: (status, refusal) => (status === 400 ? problemKindOf(plainText(record(refusal).error)) : undefined),
      },
      signal,
    );
    const found = expectMember(answer, MEMBERS[source], 'search_metadata', 'error');
    const items = list(found[MEMBERS[source]]);
    const error = plainText(found.error);
    if (items.length === 0 && error !== '' && !EMPTY_ANSWER.test(error)) throw problem(problemKindOf(error));
    const results = items.flatMap((item) => readResult(record(item), source, now));
    return {
      results: withVerifiableGoogleDates(results, time, now),
      hasMore: httpUrl(record(found.serpapi_pagination).next) !== undefined,
    };
  },
};

function readResult(item: Record<string, unknown>, source: Source, now: number): ProviderResult[] {
  const url = httpUrl(item.link);
  const imageUrl = httpUrl(source === 'images' ? item.original : item.thumbnail);
  if (!url || (source === 'images' && !imageUrl)) return [];
  return [
    {
      url,
      title: plainText(item.title),
      description: plainText(item.snippet),
      date: readDate(plainText(item.date), now),
      ...(source !== 'web' && { imageUrl }),
      ...(source === 'images' && {
        imageWidth: positive(item.original_width),
        imageHeight: positive(item.original_height),
      }),
    },
  ];
}
