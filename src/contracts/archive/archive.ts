// Archives: what was received for scrapes and jobs, and what was uploaded.
import { z } from 'zod';
import { nameText } from '../bounds.ts';
import { flag, wholeNumber } from '../query-fields.ts';
import { clientFields } from '../scrape/scrape.ts';

export const MAX_ARCHIVES_LISTED = 100;

export const archiveKinds = ['scrape', 'crawl', 'batch', 'upload'] as const;

export const archivesQuery = z.object({
  limit: wholeNumber('limit', 1, MAX_ARCHIVES_LISTED).default(20).describe('Maximum number of archives.'),
  cursor: nameText.optional().describe('The `next` of the page before.'),
});

export const archiveExportQuery = z.object({
  format: z
    .enum(['wacz', 'warc'])
    .default('wacz')
    .describe(
      '`wacz`: the records with their index and a list of the pages, in one file. `warc`: the records alone, compressed.',
    ),
  partial: flag('partial')
    .default(false)
    .describe('Whether to export what there is so far of a job that has not ended.'),
});

export const importArchiveRequest = z.object(clientFields);

const archive = z.object({
  id: z.string().describe('The ID of the scrape, batch or crawl, or of the upload.'),
  kind: z.enum(archiveKinds),
  name: z.string().describe('The URL, or the name of the uploaded file.'),
  createdAt: z.string(),
  expiresAt: z.string().describe('That of a job is kept as long as the job.'),
  records: z.number().describe('Requests with their responses.'),
  bytes: z.number().describe('Size of what the responses carry; what several of them carry counts once.'),
  removed: z.number().describe('Records that were deleted with their page: only address, time and digest are left.'),
  warnings: z.array(z.string()).describe('What could not be read of an uploaded file.'),
});

export const archiveResponse = z.lazy(() => z.object({ success: z.literal(true), data: archive }));
export const archivesResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.array(archive),
    next: z.string().optional().describe('Send it as `cursor` to get the next page.'),
  }),
);
export const archiveDeletedResponse = z.lazy(() => z.object({ success: z.literal(true) }));

export type ArchiveResponse = z.output<typeof archiveResponse>;
export type ArchivesResponse = z.output<typeof archivesResponse>;
