// The routes that search: everything, and the own index alone. The latter is an addition of Trawl.

import { PAGE_ERRORS } from '../errors/route-errors.ts';
import { indexSearchRequest, indexSearchResponse } from './index-search.ts';
import { searchRequest, searchResponse } from './search.ts';

export const SEARCH_ROUTES = {
  search: {
    method: 'POST',
    path: '/v2/search',
    operationId: 'searchAndScrape',
    summary: 'Search all fetched pages and the configured providers, and optionally scrape the results',
    request: searchRequest,
    invalidRequest: 'INVALID_SEARCH_REQUEST',
    response: searchResponse,
    fetches: false,
    fails: [...PAGE_ERRORS, 'SEARCH_FAILED', 'KEYLESS_LIMIT_REACHED'],
  },
  searchIndex: {
    method: 'POST',
    path: '/v2/index/search',
    summary: 'Search only the pages that this service has fetched, as you type',
    request: indexSearchRequest,
    response: indexSearchResponse,
    fetches: false,
    cacheControl: 'no-store',
    fails: ['INDEX_UNAVAILABLE'],
  },
} as const;
