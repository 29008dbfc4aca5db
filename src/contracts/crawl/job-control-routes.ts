// The routes that pause, resume, extend and retry jobs.

import { JOB_ERRORS } from '../errors/route-errors.ts';
import { jobControlResponse, retryJobResponse, updateCrawlRequest, updateCrawlResponse } from './job-control.ts';

const CONTROL_ERRORS = [...JOB_ERRORS, 'JOB_FINISHED', 'JOB_OF_MONITOR'] as const;
/** A job that has ended may run again. */
const RERUN_ERRORS = [...CONTROL_ERRORS, 'QUEUE_FULL'] as const;

export const JOB_CONTROL_ROUTES = {
  pauseCrawl: {
    method: 'POST',
    path: '/v2/crawl/:id/pause',
    summary: 'Pause a crawl: pages in progress end, and no other page is begun',
    response: jobControlResponse,
    fails: CONTROL_ERRORS,
  },
  resumeCrawl: {
    method: 'POST',
    path: '/v2/crawl/:id/resume',
    summary: 'Resume a paused crawl',
    response: jobControlResponse,
    fails: CONTROL_ERRORS,
  },
  updateCrawl: {
    method: 'PATCH',
    path: '/v2/crawl/:id',
    summary: 'Change the limit of a crawl; one that had stopped at its limit runs again',
    request: updateCrawlRequest,
    response: updateCrawlResponse,
    fetches: false,
    fails: RERUN_ERRORS,
  },
  retryCrawl: {
    method: 'POST',
    path: '/v2/crawl/:id/retry',
    summary: 'Read the failed pages of a crawl again; a failed crawl goes on',
    response: retryJobResponse,
    fails: RERUN_ERRORS,
  },
  pauseBatch: {
    method: 'POST',
    path: '/v2/batch/scrape/:id/pause',
    summary: 'Pause a batch: pages in progress end, and no other page is begun',
    response: jobControlResponse,
    fails: CONTROL_ERRORS,
  },
  resumeBatch: {
    method: 'POST',
    path: '/v2/batch/scrape/:id/resume',
    summary: 'Resume a paused batch',
    response: jobControlResponse,
    fails: CONTROL_ERRORS,
  },
  retryBatch: {
    method: 'POST',
    path: '/v2/batch/scrape/:id/retry',
    summary: 'Read the failed pages of a batch again; a failed batch goes on',
    response: retryJobResponse,
    fails: RERUN_ERRORS,
  },
} as const;
