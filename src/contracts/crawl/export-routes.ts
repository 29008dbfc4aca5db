// The routes that give the whole result of a job as one file. They are an addition of Trawl.
import { z } from 'zod';
import { JOB_ERRORS } from '../errors/route-errors.ts';
import { document } from '../scrape/document.ts';
import { EXPORT_FILES, exportQuery } from './export.ts';

const exported = {
  method: 'GET',
  query: exportQuery,
  response: z.lazy(() => z.array(document).describe('All documents in order of completion.')),
  contentType: [...new Set(Object.values(EXPORT_FILES).map(({ type }) => type))],
  cacheControl: 'no-store',
  fails: [...JOB_ERRORS, 'JOB_UNFINISHED', 'ARCHIVE_NOT_FOUND'],
} as const;

export const EXPORT_ROUTES = {
  exportBatch: {
    ...exported,
    path: '/v2/batch/scrape/:id/export',
    summary: 'Download all documents of a batch as one file',
  },
  exportCrawl: {
    ...exported,
    path: '/v2/crawl/:id/export',
    summary: 'Download all documents of a crawl as one file',
  },
} as const;
