// The routes that give the whole result of a job as one file. They are an addition of Trawl.
import { z } from 'zod';
import { JOB_ERRORS } from '../errors/route-errors.ts';
import { document } from '../scrape/document.ts';
import { EXPORT_FILES, exportQuery, storeExportRequest, storeExportResponse } from './export.ts';

const exported = {
  method: 'GET',
  query: exportQuery,
  response: z.lazy(() => z.array(document).describe('All documents in order of completion.')),
  contentType: [...new Set(Object.values(EXPORT_FILES).map(({ type }) => type))],
  cacheControl: 'no-store',
  fails: [...JOB_ERRORS, 'JOB_UNFINISHED', 'ARCHIVE_NOT_FOUND'],
} as const;

const stored = {
  method: 'POST',
  request: storeExportRequest,
  response: storeExportResponse,
  fetches: false,
  fails: [...JOB_ERRORS, 'JOB_UNFINISHED', 'NO_EXPORT_BUCKET', 'EXPORT_NOT_STORED'],
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
  storeBatchExport: {
    ...stored,
    path: '/v2/batch/scrape/:id/export',
    summary: 'Write all documents of a batch as one file to the bucket of the server',
  },
  storeCrawlExport: {
    ...stored,
    path: '/v2/crawl/:id/export',
    summary: 'Write all documents of a crawl as one file to the bucket of the server',
  },
} as const;
