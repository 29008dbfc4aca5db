// The routes of SQL over what is stored. They are an addition of Trawl.
import { queryRequest, queryResponse, querySchemaResponse } from './query.ts';

export const QUERY_ROUTES = {
  query: {
    method: 'POST',
    path: '/v2/query',
    summary: 'Ask with SQL what is stored: pages, versions, links, chunks and checks of monitors',
    request: queryRequest,
    response: queryResponse,
    contentType: ['application/json; charset=utf-8', 'text/csv; charset=utf-8', 'application/vnd.apache.parquet'],
    downloads: true,
    cacheControl: 'no-store',
    fetches: false,
    fails: [
      'QUERY_INVALID',
      'QUERY_TIMEOUT',
      'QUERY_TOO_LARGE',
      'QUERY_OUT_OF_MEMORY',
      'TOO_MANY_QUERIES',
      'QUEUE_FULL',
      'QUERY_ROLE_MISSING',
      'NOT_IMPLEMENTED',
    ],
  },
  querySchema: {
    method: 'GET',
    path: '/v2/query/schema',
    summary: 'List the tables and columns that a query can read',
    response: querySchemaResponse,
  },
} as const;
