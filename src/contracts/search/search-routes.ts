// The routes that search: everything, with or without an answer, the own index alone, or the documents of a request. All but the
// first are additions of Trawl.

import { answerRequest, answerResponse } from '../answer/answer.ts';
import { PAGE_ERRORS } from '../errors/route-errors.ts';
import { indexSearchRequest, indexSearchResponse } from './index-search.ts';
import { rerankRequest, rerankResponse } from './rerank.ts';
import { searchRequest, searchResponse } from './search.ts';

const EVENT_STREAM = 'text/event-stream; charset=utf-8';

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
    fails: [...PAGE_ERRORS, 'SEARCH_FAILED', 'COLLECTION_NOT_FOUND', 'KEYLESS_LIMIT_REACHED'],
  },
  answer: {
    method: 'POST',
    path: '/v2/answer',
    summary: 'Answer a question from the pages that a search finds, with citations',
    request: answerRequest,
    response: answerResponse,
    contentType: ['application/json; charset=utf-8', EVENT_STREAM],
    streams: true,
    fetches: false,
    fails: [...PAGE_ERRORS, 'SEARCH_FAILED', 'COLLECTION_NOT_FOUND'],
  },
  searchIndex: {
    method: 'POST',
    path: '/v2/index/search',
    summary: 'Search only the pages that this service has fetched, as you type',
    request: indexSearchRequest,
    response: indexSearchResponse,
    fetches: false,
    cacheControl: 'no-store',
    fails: ['INDEX_UNAVAILABLE', 'COLLECTION_NOT_FOUND', 'ENCODER_UNAVAILABLE', 'ENCODING_FAILED'],
  },
  rerank: {
    method: 'POST',
    path: '/v2/rerank',
    summary: 'Rank documents by a query',
    request: rerankRequest,
    response: rerankResponse,
    fetches: false,
    fails: ['INSUFFICIENT_CREDITS', 'SCRAPE_TIMEOUT', 'ENCODER_UNAVAILABLE', 'ENCODING_FAILED'],
  },
} as const;
