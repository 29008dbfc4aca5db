// Tavily: search for language models, without operators. Sites and times are parameters.
import type { Source, TimeRange } from '../../../../contracts/search/search-query.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { type Dialect, writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderResult } from '../../provider.ts';
import { httpUrl, list, plainText, record } from '../../toolkit/answer-fields.ts';
import { expectMember } from '../../toolkit/answer-problem.ts';
import { dayRange } from '../../toolkit/day-range.ts';
import { domainsOf, NO_RESULTS, withVerifiableDates } from '../../toolkit/request-values.ts';

const MAX_COUNT = 20;
const MAX_INCLUDED = 300;
const MAX_EXCLUDED = 150;
const DIALECT: Dialect = { clauses: ['word', 'phrase'], negated: [], domains: 'none', maxLength: 400 };
/** It expects country names and rejects unknown ones. For these countries our names are the same as its own. */
const COUNTRIES = new Set(
  (
    'AR AT AU BE BG BR CA CH CL CN CO DE DK EE EG ES FI FR GB GR HR HU ID IE IL IN IS IT JP KE KR LT LU LV MX MY NG ' +
    'NL NO NZ PE PH PK PL PT RO RS RU SA SE SG SI SK TH TW UA US VN ZA'
  ).split(' '),
);

export const tavily: Provider = {
  name: 'tavily',
  label: 'Tavily',
  url: 'https://api.tavily.com',
  needs: 'key',
  sources: ['web', 'news', 'images'],
  capabilities: (source) => ({
    clauses: ['site'],
    time: source === 'images' ? 'none' : 'range',
    domains: true,
    maxCount: source === 'images' ? 5 : MAX_COUNT,
    maxPages: 1,
  }),

  async search({ query, conditions, source, count, now }, { url, key = '', ask, signal }) {
    const { time, country } = conditions;
    const words = writeQuery(query, DIALECT, conditions);
    if (words === '') return NO_RESULTS;
    const { include, exclude } = domainsOf(query, conditions);
    const isImages = source === 'images';
    const answer = await ask.json(
      {
        url: `${url}/search`,
        body: {
          query: words,
          search_depth: 'basic',
          topic: source === 'news' ? 'news' : 'general',
          max_results: Math.min(count, MAX_COUNT),
          ...(time && timeOf(time)),
          ...(include.length > 0 && { include_domains: include.slice(0, MAX_INCLUDED) }),
          ...(exclude.length > 0 && { exclude_domains: exclude.slice(0, MAX_EXCLUDED) }),
          ...(source !== 'news' && COUNTRIES.has(country) && { country: nameOf(country) }),
          ...(query.clauses.some(({ kind, negated }) => kind === 'phrase' && !negated) && { exact_match: true }),
          ...(isImages && { include_images: true, include_image_descriptions: true }),
        },
        headers: { authorization: `Bearer ${key}` },
      },
      signal,
    );
    const found = expectMember(answer, 'results');
    if (isImages) return { results: readImages(found), hasMore: false };
    const results = list(found.results).flatMap((item) => readResult(record(item), source, now));
    return { results: withVerifiableDates(results, time, now), hasMore: false };
  },
};

function timeOf(time: TimeRange): Record<string, string | undefined> {
  if (time.preset) return { time_range: time.preset === 'hour' ? 'day' : time.preset };
  const { first, last } = dayRange(time);
  return { start_date: first, end_date: last };
}

const nameOf = (country: string): string | undefined =>
  new Intl.DisplayNames('en', { type: 'region' }).of(country)?.toLowerCase();

function readResult(item: Record<string, unknown>, source: Source, now: number): ProviderResult[] {
  const url = httpUrl(item.url);
  if (!url) return [];
  return [
    {
      url,
      title: plainText(item.title),
      description: plainText(item.content),
      date: readDate(plainText(item.published_date), now),
      ...(source === 'news' && { imageUrl: readImage(list(item.images)[0]).imageUrl }),
    },
  ];
}

/** Images of a page are listed with it. For others the page is unknown, so the image URL is used instead. */
function readImages(answer: Record<string, unknown>): ProviderResult[] {
  const results: ProviderResult[] = [];
  for (const item of list(answer.results).map(record)) {
    const url = httpUrl(item.url);
    for (const image of list(item.images)) {
      const { imageUrl, description } = readImage(image);
      if (url && imageUrl) results.push({ url, title: description || plainText(item.title), description, imageUrl });
    }
  }
  const known = new Set(results.map(({ imageUrl }) => imageUrl));
  for (const image of list(answer.images)) {
    const { imageUrl, description } = readImage(image);
    if (imageUrl && !known.has(imageUrl)) {
      results.push({ url: imageUrl, title: description, description, imageUrl });
    }
  }
  return results;
}

/** A URL, or a URL with a description. */
function readImage(image: unknown): { imageUrl: string | undefined; description: string } {
  const { url, description } = record(image);
  return { imageUrl: httpUrl(image) ?? httpUrl(url), description: plainText(description) };
}
