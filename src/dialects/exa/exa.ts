// Exa: searches with the contents of their results, and contents of known pages. Streams are not served.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { validate } from '../../contracts/validate/validate.ts';
import type { DialectAnswer, DialectRequest, DialectTable, Trawl } from '../dialect.ts';
import { errorText } from '../shared/error-text.ts';
import { type ReadPage, readPages } from '../shared/read-pages.ts';
import { sentFields } from '../shared/sent-fields.ts';
import { askOf, pageFields } from './contents.ts';
import { answerFields, readFields, searchFields, similarFields } from './fields.ts';
import { answer, findSimilar, search } from './search.ts';

const RESULTS =
  '`results` with `id` (the URL), `title`, a `score` computed from the rank, `publishedDate`, and what `contents` asks for.';

export const exa: DialectTable = {
  routes: [
    {
      ...{ methods: ['POST'], paths: ['/search'], summary: 'Search', call: 'search', takes: searchFields },
      ...{ returns: RESULTS, answer: search },
    },
    {
      ...{ methods: ['POST'], paths: ['/contents'], summary: 'Read pages', call: 'scrape', takes: readFields },
      returns: '`results` as in a search, without a score; `statuses` with what could not be read.',
      answer: contents,
    },
    {
      ...{ methods: ['POST'], paths: ['/findSimilar'], summary: 'Find similar pages', call: 'search' },
      ...{ takes: similarFields, returns: RESULTS, answer: findSimilar },
    },
    {
      ...{ methods: ['POST'], paths: ['/answer'], summary: 'Answer a question', call: 'search', takes: answerFields },
      ...{ returns: '`answer` and `citations`.', answer },
    },
  ],
  writeError: (error) => ({ body: { error: errorText(error), tag: TAGS[error.code] ?? error.code } }),
};

const TAGS: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'INVALID_API_KEY',
  BAD_REQUEST: 'INVALID_REQUEST_BODY',
  INVALID_SEARCH_REQUEST: 'INVALID_REQUEST_BODY',
  BAD_REQUEST_INVALID_JSON: 'INVALID_REQUEST_BODY',
  INSUFFICIENT_CREDITS: 'NO_MORE_CREDITS',
};

const DEFAULT_TIMEOUT_MS = 30_000;

async function contents(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { urls, ids, ...asked } = validate(readFields, sentFields(request));
  const pages = urls ?? ids ?? [];
  if (pages.length === 0) throw new ServiceError('BAD_REQUEST', { message: 'Set `urls` to the pages to read.' });
  // Without any option, a page is its text.
  const isPlain = !asked.highlights && !asked.summary && !asked.extras && asked.text === undefined;
  const wanted = isPlain ? { ...asked, text: true } : asked;
  const { options, passages, warnings } = askOf(wanted);
  const read = await readPages(pages, { timeout: DEFAULT_TIMEOUT_MS, ...options }, trawl);
  const results = read.flatMap(({ url, page }) => {
    if (!page) return [];
    const { title } = page.metadata;
    return [{ id: url, url, title: typeof title === 'string' ? title : null, ...pageFields(page, wanted, passages) }];
  });
  return {
    body: { requestId: request.id, results, statuses: read.map(statusOf), costDollars: { total: 0 } },
    warnings,
  };
}

function statusOf({ url, page, error }: ReadPage): object {
  if (page) {
    const source = page.metadata.cacheState === 'hit' ? 'cached' : 'crawled';
    return { id: url, status: 'success', source };
  }
  const tag = (error && PAGE_TAGS[error.code]) ?? 'CRAWL_UNKNOWN_ERROR';
  return { id: url, status: 'error', source: 'crawled', error: { tag, httpStatusCode: error?.status } };
}

const PAGE_TAGS: Readonly<Record<string, string>> = {
  SCRAPE_TIMEOUT: 'CRAWL_TIMEOUT',
  SCRAPE_NO_CACHED_DATA: 'CRAWL_NOT_FOUND',
  SCRAPE_DNS_RESOLUTION_ERROR: 'SOURCE_NOT_AVAILABLE',
  UNSUPPORTED_SITE: 'UNSUPPORTED_URL',
};
