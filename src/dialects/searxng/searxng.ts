// SearXNG: what most programs that search the web speak. Its searches are those of POST /v2/search.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { MAX_SEARCH_LIMIT } from '../../contracts/search/search.ts';
import type { DialectAnswer, DialectRequest, DialectTable, Trawl } from '../dialect.ts';
import { errorText } from '../shared/error-text.ts';
import { complete, instanceConfig } from './instance.ts';
import { resultsOf, type SearxResult, unresponsive } from './results.ts';
import { type PagedSearch, type ResultFormat, readSearch, readSent, searchFields } from './search-fields.ts';
import { CSV, HTML, RSS, writeCsv, writeHtml, writeRss } from './write-results.ts';

export const searxng: DialectTable = {
  routes: [
    {
      methods: ['GET', 'POST'],
      paths: ['', '/search'],
      summary: 'Search',
      call: 'search',
      takes: searchFields,
      returns: 'Results as JSON, a page, CSV or a feed, by `format`.',
      answer: search,
    },
    {
      methods: ['GET', 'POST'],
      paths: ['/autocompleter'],
      summary: 'Complete a query',
      call: 'searchIndex',
      takes: searchFields.pick({ q: true }),
      returns: 'The query, then completions from the words of the index.',
      answer: complete,
    },
    {
      methods: ['GET'],
      paths: ['/config'],
      summary: 'Describe the instance',
      returns: 'Categories, engines and whose interface this is.',
      answer: instanceConfig,
    },
    {
      methods: ['GET'],
      paths: ['/healthz'],
      summary: 'Whether the service answers',
      returns: '`OK`.',
      answer: () => ({ type: 'text/plain; charset=utf-8', body: 'OK' }),
    },
  ],
  writeError: (error) => ({ body: { error: errorText(error) } }),
};

async function search(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const sent = readSent(request);
  if (sent.q === undefined) {
    if (sent.format === 'html') return { type: HTML, body: writeHtml('', []) };
    throw new ServiceError('BAD_REQUEST', { message: 'No query' });
  }
  const asked = readSearch(sent);
  const { results, silent, warning } = await find(asked, trawl);
  const warnings = [asked.warning, warning];
  return { ...write(sent.format, { query: sent.q, results, silent, home: request.prefix }), warnings };
}

interface FoundPage {
  results: SearxResult[];
  silent: [string, string][];
  warning?: string;
}

/** There are no results after the first hundred. */
async function find({ kinds, ...asked }: PagedSearch, trawl: Trawl): Promise<FoundPage> {
  const { query, skip, limit, warning: _, ...conditions } = asked;
  const silent = kinds.unserved.map((name): [string, string] => [name, 'not served here']);
  const isNothing = kinds.sources.length === 0 || query === '' || skip >= MAX_SEARCH_LIMIT;
  if (isNothing) return { results: [], silent };
  const found = await trawl.call('search', {
    body: {
      query,
      limit: Math.min(limit, MAX_SEARCH_LIMIT),
      sources: kinds.sources,
      categories: kinds.categories,
      includeDomains: kinds.domains,
      explain: true,
      ...conditions,
    },
  });
  const results = resultsOf(found, kinds.sources).slice(skip, limit);
  return { results, silent: [...silent, ...unresponsive(found)], warning: found.warning };
}

interface Written extends FoundPage {
  query: string;
  home: string;
}

function write(format: ResultFormat, { query, results, silent, home }: Written): DialectAnswer {
  if (format === 'html') return { type: HTML, body: writeHtml(query, results) };
  if (format === 'csv') return { type: CSV, body: writeCsv(results) };
  if (format === 'rss') return { type: RSS, body: writeRss(query, results, home) };
  return {
    body: {
      ...{ query, number_of_results: results.length, results },
      ...{ answers: [], corrections: [], infoboxes: [], suggestions: [], unresponsive_engines: silent },
    },
  };
}
