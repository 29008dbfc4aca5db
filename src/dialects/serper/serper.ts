// Serper: searches in the words of Google's result pages, and single pages as text.
import { z } from 'zod';
import { urlText } from '../../contracts/bounds.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { MAX_SEARCH_LIMIT } from '../../contracts/search/search.ts';
import type { Source } from '../../contracts/search/search-query.ts';
import { validate } from '../../contracts/validate/validate.ts';
import { plainText } from '../../text/markdown-text.ts';
import type { DialectAnswer, DialectRequest, DialectRoute, DialectTable, Trawl } from '../dialect.ts';
import { errorText } from '../shared/error-text.ts';
import { isYes, objectOf, sentFields } from '../shared/sent-fields.ts';
import { listsOf } from './results.ts';
import { readSearch, type SerperSearch, searchFields } from './search-fields.ts';

/** Searches of one request. */
const MAX_BATCH = 20;

const scrapeFields = z.object({
  url: urlText('Set `url` to the page to read.'),
  includeMarkdown: z.unknown().transform(isYes).optional().describe('Adds the page as Markdown.'),
});

const searchRoute = (path: string, source: Source): DialectRoute => ({
  ...{ methods: ['GET', 'POST'], paths: [path], call: 'search', takes: searchFields },
  ...{ summary: `Search: ${source}`, returns: 'Results; a list of them for a list of searches.' },
  answer: (request, trawl) => answerSearches(request, (asked) => searchOnce(asked, source, trawl), source),
});

/** Kinds of results that there are none of. */
const emptyRoute = (name: string): DialectRoute => ({
  ...{ methods: ['GET', 'POST'], paths: [`/${name}`], call: 'search', takes: searchFields },
  ...{ summary: `Search: ${name}`, returns: 'An empty list.' },
  answer: (request) =>
    answerSearches(request, async ({ parameters }) => ({
      body: { searchParameters: { ...parameters, type: name }, [name]: [], credits: 0 },
      warning: `${name} are not searched here.`,
    })),
});

export const serper: DialectTable = {
  routes: [
    searchRoute('/search', 'web'),
    searchRoute('/news', 'news'),
    searchRoute('/images', 'images'),
    ...['videos', 'places', 'shopping'].map(emptyRoute),
    {
      methods: ['POST'],
      paths: ['', '/scrape'],
      summary: 'Read a page',
      call: 'scrape',
      takes: scrapeFields,
      returns: 'The page as text and Markdown, with its meta tags.',
      answer: scrape,
    },
  ],
  writeError(error) {
    const statusCode = statusOf(error);
    return { status: statusCode, body: { message: errorText(error), statusCode } };
  },
};

interface Answered {
  body: unknown;
  warning?: string;
}

/** Every one of a list is a search of its own. */
async function answerSearches(
  request: DialectRequest,
  run: (asked: SerperSearch) => Promise<Answered>,
  source: Source = 'web',
): Promise<DialectAnswer> {
  const { body, query } = request;
  const isBatch = Array.isArray(body);
  if (isBatch && (body.length === 0 || body.length > MAX_BATCH))
    throw new ServiceError('BAD_REQUEST', { message: `Send a list of 1 to ${MAX_BATCH} searches, or one search.` });
  const sent = isBatch ? body.map((each) => sentFields({ query, body: objectOf(each) })) : [sentFields(request)];
  // All are checked before the first one costs anything.
  const asked = sent.map((each) => readSearch(each, source));
  const answers = await Promise.all(asked.map(run));
  const bodies = answers.map((answer) => answer.body);
  const warnings = [...asked, ...answers].map(({ warning }) => warning);
  return { body: isBatch ? bodies : bodies[0], warnings: [...new Set(warnings)] };
}

/** There are no results after the first hundred. */
async function searchOnce(
  { parameters, search, skip, limit }: SerperSearch,
  source: Source,
  trawl: Trawl,
): Promise<Answered> {
  const body = { ...search, limit: Math.min(limit, MAX_SEARCH_LIMIT) };
  const isNothing = skip >= MAX_SEARCH_LIMIT;
  const found = isNothing ? { data: {}, creditsUsed: 0, warning: undefined } : await trawl.call('search', { body });
  const lists = listsOf(found.data, source, (results = []) => results.slice(skip, limit));
  return {
    body: { searchParameters: parameters, ...lists, credits: found.creditsUsed },
    ...(found.warning !== undefined && { warning: found.warning }),
  };
}

async function scrape({ body }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { url, includeMarkdown: isMarkdown = false } = validate(scrapeFields, body);
  const { data, warning } = await trawl.call('scrape', { body: { url, formats: ['markdown'] } });
  const { markdown, metadata } = data;
  return {
    body: {
      text: await plainText(markdown ?? ''),
      ...(isMarkdown && { markdown: markdown ?? '' }),
      metadata,
      credits: metadata.creditsUsed,
    },
    warnings: [warning, data.warning],
  };
}

/** A wrong key is forbidden there, and a page that cannot be read is a bad request. */
function statusOf({ code, status }: ServiceError): number {
  if (status === 401) return 403;
  return /^SCRAPE_/.test(code) && status >= 500 ? 400 : status;
}
