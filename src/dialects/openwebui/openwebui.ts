// The slots of Open WebUI that are made for foreign servers: search, loading of pages, and reading of documents.
import { z } from 'zod';
import { urlText } from '../../contracts/bounds.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { MAX_SEARCH_LIMIT } from '../../contracts/search/search.ts';
import { validate } from '../../contracts/validate/validate.ts';
import type { DialectAnswer, DialectRequest, DialectTable, Trawl } from '../dialect.ts';
import { cutQuery } from '../shared/cut-query.ts';
import { errorText } from '../shared/error-text.ts';
import { described } from './describe-page.ts';
import { loadPages } from './load-pages.ts';

const MAX_QUERY = 20_000;
/** As many as Open WebUI sends at once. */
const MAX_URLS = 20;

const searchFields = z.object({
  query: z.string({ error: 'Set `query` to the text to search for.' }).max(MAX_QUERY).describe('What to search for.'),
  count: z.int().min(1).default(10).describe(`Number of results, up to ${MAX_SEARCH_LIMIT}.`),
});

const loadFields = z.object({
  urls: z
    .array(urlText('Set `urls` to the pages to load.'), { error: 'Set `urls` to the list of pages to load.' })
    .max(MAX_URLS, `At most ${MAX_URLS} URLs can be loaded at once.`)
    .describe('The pages to load.'),
});

export const openwebui: DialectTable = {
  routes: [
    {
      methods: ['POST'],
      paths: ['/search'],
      summary: 'Search (`EXTERNAL_WEB_SEARCH_URL`)',
      call: 'search',
      takes: searchFields,
      returns: 'A list of `link`, `title` and `snippet`.',
      answer: search,
    },
    {
      methods: ['POST'],
      paths: ['/load'],
      summary: 'Load pages (`EXTERNAL_WEB_LOADER_URL`)',
      call: 'scrape',
      takes: loadFields,
      returns: 'A list of `page_content` as Markdown and `metadata`. Pages that cannot be read are left out.',
      answer: ({ body }, trawl) => loadPages(validate(loadFields, body).urls, trawl),
    },
    {
      methods: ['PUT'],
      paths: ['/process'],
      summary: 'Read a document (`EXTERNAL_DOCUMENT_LOADER_URL` without `/process`)',
      call: 'parse',
      takes: 'file',
      returns: '`page_content` as Markdown, and `metadata`.',
      answer: readDocument,
    },
  ],
  writeError: (error) => ({ body: { error: errorText(error), detail: errorText(error) } }),
};

async function search({ body }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { query: text, count } = validate(searchFields, body);
  const { query, warning } = cutQuery(text);
  const limit = Math.min(count, MAX_SEARCH_LIMIT);
  const found = await trawl.call('search', { body: { query, limit } });
  const results = (found.data.web ?? []).map(({ url, title, description }) => ({
    ...{ link: url, title, snippet: description },
  }));
  return { body: results, warnings: [warning, found.warning] };
}

async function readDocument({ file }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  if (!file || file.size === 0)
    throw new ServiceError('BAD_REQUEST', { message: 'The request has no file as its body.' });
  const { data, warning } = await trawl.call('parse', { file, body: { formats: ['markdown'] } });
  return { body: { page_content: data.markdown ?? '', metadata: described(data) }, warnings: [warning] };
}
