// The routes of extractions.

import { JOB_ERRORS, JOB_START_ERRORS } from '../errors/route-errors.ts';
import { extractRequest, extractResponse, extractStatusResponse } from './extract.ts';

export const EXTRACT_DEPRECATION = {
  replacement: '/v2/scrape',
  notice:
    'POST /v2/extract is deprecated. Use POST /v2/scrape with the format `json` for single pages, and POST /v2/agent for many.',
};

export const EXTRACT_ROUTES = {
  extract: {
    method: 'POST',
    path: '/v2/extract',
    summary: 'Extract data from pages or whole sites (deprecated: use scrape with the format json, or agent)',
    deprecated: EXTRACT_DEPRECATION,
    request: extractRequest,
    response: extractResponse,
    idempotent: true,
    fetches: 'urls',
    fails: [...JOB_START_ERRORS, 'NO_VALID_URLS'],
  },
  extractStatus: {
    method: 'GET',
    path: '/v2/extract/:id',
    summary: 'Get the state and the data of an extraction, or of a run of an agent',
    response: extractStatusResponse,
    fails: JOB_ERRORS,
  },
} as const;
