// The export of a job: all of its documents as one file.
import { z } from 'zod';
import { flag } from '../query-fields.ts';
import { JOB_STATUSES } from './job.ts';

/** Made from the documents of a job. */
export const DOCUMENT_FORMATS = [
  'jsonl',
  'json',
  'csv',
  'markdown',
  'chunks',
  'zip',
  'parquet',
  'huggingface',
  'llms',
  'llms-full',
  'sitemap',
  'warc',
] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

export const EXPORT_FORMATS = [...DOCUMENT_FORMATS, 'wacz'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Content type and file name extension of each format. */
export const EXPORT_FILES = {
  jsonl: { type: 'application/x-ndjson; charset=utf-8', extension: 'jsonl' },
  json: { type: 'application/json; charset=utf-8', extension: 'json' },
  csv: { type: 'text/csv; charset=utf-8', extension: 'csv' },
  markdown: { type: 'text/markdown; charset=utf-8', extension: 'md' },
  chunks: { type: 'application/x-ndjson; charset=utf-8', extension: 'chunks.jsonl' },
  zip: { type: 'application/zip', extension: 'zip' },
  parquet: { type: 'application/vnd.apache.parquet', extension: 'parquet' },
  huggingface: { type: 'application/zip', extension: 'huggingface.zip' },
  llms: { type: 'text/plain; charset=utf-8', extension: 'llms.txt' },
  'llms-full': { type: 'text/plain; charset=utf-8', extension: 'llms-full.txt' },
  sitemap: { type: 'application/xml; charset=utf-8', extension: 'sitemap.xml' },
  warc: { type: 'application/warc', extension: 'warc.gz' },
  wacz: { type: 'application/wacz', extension: 'wacz' },
} as const satisfies Record<ExportFormat, { type: string; extension: string }>;

/** Headers of an export: the status of its job, and the number of documents that follow. */
export const JOB_STATUS_HEADER = 'x-trawl-job-status';
export const DOCUMENTS_HEADER = 'x-trawl-documents';
/** How many records of an archive were deleted with their page. */
export const REMOVED_HEADER = 'x-trawl-removed';

const exportFields = {
  format: z
    .enum(EXPORT_FORMATS)
    .default('jsonl')
    .describe(
      '`jsonl`: a document a line. `json`: a list of the documents. `csv`: a row a page. `markdown`: the Markdown of all pages in one text. `chunks`: a chunk a line, of all pages, with the URL and title of its page. `zip`: a file for each text of each page, and an index. `parquet`: a row a page with typed columns. `huggingface`: Parquet files with the card of a data set, in a ZIP archive. `llms`: llms.txt, a list of the pages with notes. `llms-full`: llms-full.txt, their Markdown. `sitemap`: a sitemap, with the last change where it is known. `warc`: a web archive, compressed. `wacz`: the same with an index, as one file, of a job that was started with `archive`.',
    ),
  license: z
    .string()
    .max(64)
    .regex(/^[\w.+-]+$/, 'Set `license` to the identifier of a licence, such as cc-by-4.0.')
    .optional()
    .describe('The licence that the card of a data set names, for `huggingface`. Default: unknown.'),
};

const PARTIAL =
  'Whether to export the finished pages of a job that has not ended. The header X-Trawl-Job-Status says how far it is.';

export const exportQuery = z.object({
  ...exportFields,
  partial: flag('partial').default(false).describe(PARTIAL),
});

export const storeExportRequest = z.object({
  ...exportFields,
  destination: z
    .enum(['s3'], { error: 'Set `destination` to "s3", the bucket of the server.' })
    .describe('Where to write the file: `s3`, the bucket that the operator has set.'),
  partial: z.boolean().default(false).describe('Whether to export the finished pages of a job that has not ended.'),
});

export const storeExportResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    id: z.string(),
    status: z.enum([...JOB_STATUSES, 'paused']).describe('The status of the job.'),
    format: z.enum(EXPORT_FORMATS),
    bucket: z.string(),
    key: z.string().describe('Where the file is in the bucket. The next export of this job and format replaces it.'),
    size: z.int().describe('Bytes.'),
    documents: z.int(),
  }),
);

export type StoreExportResponse = z.output<typeof storeExportResponse>;
