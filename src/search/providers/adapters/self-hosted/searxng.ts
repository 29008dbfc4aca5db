// SearXNG (and searx): the operator's own metasearch engine. Whether operators work depends on the engines behind it.
import type { Source } from '../../../../contracts/search/search-query.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { type Dialect, writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderResult } from '../../provider.ts';
import { ProviderProblem } from '../../provider-problem.ts';
import { httpUrl, list, positive, record, text } from '../../toolkit/answer-fields.ts';
import { expectMember } from '../../toolkit/answer-problem.ts';
import { coveringPreset, NO_RESULTS, withVerifiableDates } from '../../toolkit/request-values.ts';

const CATEGORIES: Record<Source, string> = { web: 'general', news: 'news', images: 'images' };
const DIALECT: Dialect = {
  clauses: ['word', 'phrase', 'site', 'filetype', 'inurl', 'intitle'],
  or: 'bare',
  domains: 'operators',
};
const RESOLUTION = /^\s*(\d{1,6})\s*[x×*]\s*(\d{1,6})/i;

export const searxng: Provider = {
  name: 'searxng',
  label: 'SearXNG',
  needs: 'url',
  sources: ['web', 'news', 'images'],
  // It skips engines that do not support a time preset, so presets are reliable.
  capabilities: () => ({ clauses: [], time: 'presets', domains: false, maxCount: 20, maxPages: 10 }),

  async search({ query, conditions, source, page, now }, { url, key, ask, signal }) {
    const { time, language, country, safe } = conditions;
    const q = writeQuery(query, DIALECT, conditions);
    if (q === '') return NO_RESULTS;
    const asked = ask.json(
      {
        url: `${url}/search`,
        parameters: {
          q,
          format: 'json',
          categories: CATEGORIES[source],
          // Without a language the instance's own default applies, which may follow the query.
          language: language && `${language}-${country}`,
          pageno: page + 1,
          time_range: time && coveringPreset(time, now),
          safesearch: safe === undefined ? undefined : safe ? 2 : 0,
        },
        headers: key === undefined ? {} : { authorization: credentials(key) },
      },
      signal,
    );
    const answer = await asked.catch((error) => {
      throw key === undefined ? withAdvice(error) : error;
    });
    const items = list(expectMember(answer, 'results').results);
    const results = items.flatMap((item) => readResult(record(item), source, now));
    return { results: withVerifiableDates(results, time, now), hasMore: items.length > 0 };
  },
};

/** JSON is disabled by default, which SearXNG reports as 403. */
function withAdvice(error: unknown): unknown {
  if (!(error instanceof ProviderProblem) || error.kind !== 'key') return error;
  const message = 'it does not return JSON: add json to search.formats in its settings.yml, or set its password';
  return new ProviderProblem('refused', message, { cause: error });
}

/** `user:password` for an instance behind basic authentication, else a token. */
const credentials = (key: string): string =>
  key.includes(':') ? `Basic ${Buffer.from(key).toString('base64')}` : `Bearer ${key}`;

function readResult(item: Record<string, unknown>, source: Source, now: number): ProviderResult[] {
  const url = httpUrl(item.url);
  if (!url) return [];
  const imageUrl = httpUrl(item.img_src) ?? httpUrl(item.thumbnail_src) ?? httpUrl(item.thumbnail);
  if (source === 'images' && !imageUrl) return [];
  const [, width, height] = RESOLUTION.exec(text(item.resolution)) ?? [];
  return [
    {
      url,
      title: text(item.title),
      description: text(item.content),
      date: readDate(text(item.publishedDate), now) ?? readDate(text(item.pubdate), now),
      ...(source !== 'web' && { imageUrl }),
      ...(source === 'images' && { imageWidth: positive(width), imageHeight: positive(height) }),
    },
  ];
}
