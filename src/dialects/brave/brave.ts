// Brave's search API: web, news, images and context for models.
import { randomUUID } from 'node:crypto';
import type { ServiceError } from '../../contracts/errors/errors.ts';
import type { ResponseOf } from '../../contracts/route-types.ts';
import { MAX_SEARCH_LIMIT } from '../../contracts/search/search.ts';
import type { Source } from '../../contracts/search/search-query.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import type { DialectAnswer, DialectRequest, DialectRoute, DialectTable, Trawl } from '../dialect.ts';
import { errorText } from '../shared/error-text.ts';
import { hostOf, imageResult, newsResult, webResult } from './results.ts';
import { type BraveSearch, readSearch, searchFields } from './search-fields.ts';

/** Results of a page at most, as Brave has them. */
const MOST = { web: 20, news: 50, images: 200, context: 50 };
const USUAL_IMAGES = 50;
const USUAL_TOKENS = 8_192;

/** Some clients leave `res` out. */
const get = (
  path: string,
  { summary, returns, answer }: Pick<DialectRoute, 'summary' | 'returns' | 'answer'>,
): DialectRoute => ({
  ...{ methods: ['GET'], paths: [`/res/v1${path}`, `/v1${path}`], call: 'search', takes: searchFields },
  ...{ summary, returns, answer },
});

export const brave: DialectTable = {
  routes: [
    get('/web/search', {
      summary: 'Search the web',
      returns: 'Web results, and news if `result_filter` names them.',
      answer: web,
    }),
    get('/news/search', { summary: 'Search news', returns: 'News.', answer: news }),
    get('/images/search', { summary: 'Search images', returns: 'Images.', answer: images }),
    get('/videos/search', { summary: 'Search videos', returns: 'An empty list.', answer: videos }),
    get('/llm/context', {
      summary: 'Find passages for a model',
      returns: 'The passage of each result that fits best.',
      answer: context,
    }),
  ],
  writeError: (error) => ({ status: statusOf(error), body: errorBody(error) }),
};

async function web(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const asked = readSearch(request, MOST.web);
  const { sections, warnings } = asked;
  const isWeb = !sections || sections.has('web');
  const isNews = sections?.has('news') ?? false;
  const sources: Source[] = [...(isWeb ? (['web'] as const) : []), ...(isNews ? (['news'] as const) : [])];
  const found = await find(asked, sources, trawl);
  return {
    body: {
      type: 'search',
      query: found.query,
      ...(isWeb && { web: { type: 'search', results: found.page(found.data.web).map(webResult) } }),
      ...(isNews && { news: { type: 'news', results: found.page(found.data.news).map(newsResult) } }),
    },
    warnings: [...warnings, found.warning],
  };
}

async function news(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const asked = readSearch(request, MOST.news);
  const found = await find(asked, ['news'], trawl);
  const results = found.page(found.data.news).map(newsResult);
  return { body: { type: 'news', query: found.query, results }, warnings: [...asked.warnings, found.warning] };
}

async function images(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const asked = readSearch(request, MOST.images, USUAL_IMAGES);
  const found = await find(asked, ['images'], trawl);
  const results = found.page(found.data.images).map(imageResult);
  return { body: { type: 'images', query: found.query, results }, warnings: [...asked.warnings, found.warning] };
}

function videos(request: DialectRequest): DialectAnswer {
  const { q, warnings } = readSearch(request, MOST.news);
  const query = { original: q, more_results_available: false };
  return { body: { type: 'videos', query, results: [] }, warnings: [...warnings, 'Videos are not searched here.'] };
}

async function context(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const asked = readSearch(request, MOST.context);
  const found = await find(asked, ['web'], trawl);
  let left = asked.maxTokens ?? USUAL_TOKENS;
  const fitting = found.page(found.data.web).filter(({ description }) => {
    left -= estimateTokens(description);
    return left >= 0;
  });
  const generic = fitting.map(({ url, title, description }) => ({ url, title, snippets: [description] }));
  const sources = Object.fromEntries(fitting.map(({ url, title }) => [url, { title, hostname: hostOf(url) }]));
  return { body: { grounding: { generic }, sources }, warnings: [...asked.warnings, found.warning] };
}

type Found = Pick<ResponseOf<'search'>, 'data' | 'warning'>;

/** There are no results after the first hundred. */
async function find({ q, search, skip, limit }: BraveSearch, sources: Source[], trawl: Trawl) {
  const isNothing = sources.length === 0 || skip >= MAX_SEARCH_LIMIT;
  const body = { ...search, sources, limit: Math.min(limit, MAX_SEARCH_LIMIT) };
  const { data, warning }: Found = isNothing ? { data: {} } : await trawl.call('search', { body });
  const isFull = Object.values(data).some((list) => list.length >= limit);
  return {
    ...{ data, warning },
    query: { original: q, more_results_available: isFull && limit < MAX_SEARCH_LIMIT },
    page: <Result>(results: readonly Result[] = []): Result[] => results.slice(skip, limit),
  };
}

/** What is wrong with a parameter has another status there. */
const statusOf = ({ status }: ServiceError): number => (status === 400 ? 422 : status);

const CODES: Readonly<Record<number, string>> = {
  401: 'SUBSCRIPTION_TOKEN_INVALID',
  402: 'USAGE_LIMIT_EXCEEDED',
  422: 'VALIDATION',
  429: 'RATE_LIMITED',
};

function errorBody(error: ServiceError) {
  const status = statusOf(error);
  const known = { id: randomUUID(), status, code: CODES[status] ?? error.code, detail: errorText(error), meta: {} };
  return { type: 'ErrorResponse', error: known };
}
