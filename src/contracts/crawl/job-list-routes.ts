// The routes that list jobs of all kinds, and the pages and hosts of one. They are an addition of Trawl.

import { JOB_ERRORS } from '../errors/route-errors.ts';
import {
  jobDetailsResponse,
  jobHostsQuery,
  jobHostsResponse,
  jobListQuery,
  jobListResponse,
  jobPagesQuery,
  jobPagesResponse,
} from './job-list.ts';

const pages = { method: 'GET', query: jobPagesQuery, response: jobPagesResponse, fails: JOB_ERRORS } as const;
const hosts = { method: 'GET', query: jobHostsQuery, response: jobHostsResponse, fails: JOB_ERRORS } as const;

export const JOB_LIST_ROUTES = {
  listJobs: {
    method: 'GET',
    path: '/v2/jobs',
    summary: 'List crawls, batches, agents, extractions and checks of monitors, newest first',
    query: jobListQuery,
    response: jobListResponse,
  },
  getJob: {
    method: 'GET',
    path: '/v2/jobs/:id',
    summary: 'Get a job of any kind without its results, and what it was started with',
    response: jobDetailsResponse,
    fails: JOB_ERRORS,
  },
  crawlPages: {
    ...pages,
    path: '/v2/crawl/:id/pages',
    summary: 'List the pages of a crawl that have ended, without their content',
  },
  batchPages: {
    ...pages,
    path: '/v2/batch/scrape/:id/pages',
    summary: 'List the pages of a batch that have ended, without their content',
  },
  crawlHosts: {
    ...hosts,
    path: '/v2/crawl/:id/hosts',
    summary: 'Get how many pages of a crawl wait, run and have ended at each host',
  },
  batchHosts: {
    ...hosts,
    path: '/v2/batch/scrape/:id/hosts',
    summary: 'Get how many pages of a batch wait, run and have ended at each host',
  },
} as const;
