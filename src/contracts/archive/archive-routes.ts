// The routes of archives. They are an addition of Trawl.
import { z } from 'zod';
import { EXPORT_FILES } from '../crawl/export.ts';
import {
  archiveDeletedResponse,
  archiveExportQuery,
  archiveResponse,
  archivesQuery,
  archivesResponse,
  importArchiveRequest,
} from './archive.ts';

const ARCHIVES = '/v2/archives';
const ARCHIVE = `${ARCHIVES}/:id`;

const exported = {
  method: 'GET',
  query: archiveExportQuery,
  response: z.lazy(() => z.unknown().describe('The archive as a file.')),
  contentType: [EXPORT_FILES.wacz.type, EXPORT_FILES.warc.type],
  cacheControl: 'no-store',
  fails: ['ARCHIVE_NOT_FOUND', 'JOB_NOT_FOUND', 'JOB_UNFINISHED'],
} as const;

export const ARCHIVE_ROUTES = {
  importArchive: {
    method: 'POST',
    path: ARCHIVES,
    summary: 'Upload a web archive (.wacz, .warc or .warc.gz) to read pages from it',
    request: importArchiveRequest,
    upload: 'form',
    response: archiveResponse,
    fetches: false,
    fails: [
      'UNSUPPORTED_FILE_TYPE',
      'DOCUMENT_DAMAGED',
      'DOCUMENT_TOO_COMPLEX',
      'DOCUMENT_ENCRYPTED',
      'FEATURE_NOT_ENABLED',
    ],
  },
  listArchives: {
    method: 'GET',
    path: ARCHIVES,
    summary: 'List the archives of your team, the newest first',
    query: archivesQuery,
    response: archivesResponse,
  },
  getArchive: {
    method: 'GET',
    path: ARCHIVE,
    summary: 'Get what an archive has',
    response: archiveResponse,
    fails: ['ARCHIVE_NOT_FOUND'],
  },
  deleteArchive: {
    method: 'DELETE',
    path: ARCHIVE,
    summary: 'Delete an archive',
    response: archiveDeletedResponse,
    fails: ['ARCHIVE_NOT_FOUND'],
  },
  exportArchive: {
    ...exported,
    path: `${ARCHIVE}/export`,
    summary: 'Download an archive',
  },
  exportScrape: {
    ...exported,
    path: '/v2/scrape/:id/export',
    summary: 'Download the archive of a scrape',
  },
} as const;
