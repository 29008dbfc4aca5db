// The routes of crawls and batches, and those that list, control and export jobs.

import { JOB_ERRORS, JOB_START_ERRORS, PROMPT_ERRORS, URL_ERRORS } from '../errors/route-errors.ts';
import { batchRequest, batchResponse } from './batch.ts';
import {
  activeCrawlsResponse,
  crawlPreviewRequest,
  crawlPreviewResponse,
  crawlRequest,
  crawlResponse,
} from './crawl.ts';
import { EXPORT_ROUTES } from './export-routes.ts';
import { cancelResponse, jobErrorsResponse, jobStatusQuery, jobStatusResponse } from './job.ts';
import { JOB_CONTROL_ROUTES } from './job-control-routes.ts';
import { JOB_LIST_ROUTES } from './job-list-routes.ts';

export const JOB_ROUTES = {
  batchScrape: {
    method: 'POST',
    path: '/v2/batch/scrape',
    summary: 'Scrape many pages with the same options',
    request: batchRequest,
    response: batchResponse,
    idempotent: true,
    fetches: 'urls',
    fails: [...JOB_START_ERRORS, ...JOB_ERRORS, 'NO_VALID_URLS', 'JOB_FINISHED'],
  },
  batchStatus: {
    method: 'GET',
    path: '/v2/batch/scrape/:id',
    summary: 'Get the progress and the documents of a batch',
    query: jobStatusQuery,
    response: jobStatusResponse,
    watch: true,
    fails: JOB_ERRORS,
  },
  cancelBatch: {
    method: 'DELETE',
    path: '/v2/batch/scrape/:id',
    summary: 'Cancel a batch; its finished pages stay readable',
    response: cancelResponse,
    fails: [...JOB_ERRORS, 'JOB_FINISHED'],
  },
  batchErrors: {
    method: 'GET',
    path: '/v2/batch/scrape/:id/errors',
    summary: 'List the pages of a batch that failed, and why',
    response: jobErrorsResponse,
    fails: JOB_ERRORS,
  },
  crawl: {
    method: 'POST',
    path: '/v2/crawl',
    summary: 'Crawl a site: its sitemaps and every page that links lead to',
    request: crawlRequest,
    response: crawlResponse,
    idempotent: true,
    fetches: 'url',
    fails: [...JOB_START_ERRORS, ...PROMPT_ERRORS],
  },
  crawlPreview: {
    method: 'POST',
    path: '/v2/crawl/params-preview',
    summary: 'Turn a prompt into crawl options (needs a language model)',
    request: crawlPreviewRequest,
    response: crawlPreviewResponse,
    // Its pages are read by the map.
    fetches: false,
    fails: ['INSUFFICIENT_CREDITS', 'FEATURE_NOT_ENABLED', ...URL_ERRORS, ...PROMPT_ERRORS],
  },
  activeCrawls: {
    method: 'GET',
    path: '/v2/crawl/active',
    summary: 'List the running crawls',
    response: activeCrawlsResponse,
  },
  ongoingCrawls: {
    method: 'GET',
    path: '/v2/crawl/ongoing',
    summary: 'List the running crawls (older name)',
    response: activeCrawlsResponse,
  },
  crawlStatus: {
    method: 'GET',
    path: '/v2/crawl/:id',
    summary: 'Get the progress and the documents of a crawl',
    query: jobStatusQuery,
    response: jobStatusResponse,
    watch: true,
    fails: JOB_ERRORS,
  },
  cancelCrawl: {
    method: 'DELETE',
    path: '/v2/crawl/:id',
    summary: 'Cancel a crawl; its finished pages stay readable',
    response: cancelResponse,
    fails: [...JOB_ERRORS, 'JOB_FINISHED'],
  },
  crawlErrors: {
    method: 'GET',
    path: '/v2/crawl/:id/errors',
    summary: 'List the pages of a crawl that failed, and why, and those that robots.txt disallowed',
    response: jobErrorsResponse,
    fails: JOB_ERRORS,
  },
  ...EXPORT_ROUTES,
  ...JOB_CONTROL_ROUTES,
  ...JOB_LIST_ROUTES,
} as const;
