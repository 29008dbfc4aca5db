// Exports a job: all of its documents as one file in the format of the caller's choice. That of a job that has ended is kept for a
// while; of others, it is made while it is sent.

import { Download } from '../../../archive/download.ts';
import {
  DOCUMENTS_HEADER,
  type DocumentFormat,
  EXPORT_FILES,
  type ExportFormat,
  JOB_STATUS_HEADER,
  type StoreExportResponse,
} from '../../../contracts/crawl/export.ts';
import type { JobStatus } from '../../../contracts/crawl/job.ts';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { FormatType } from '../../../contracts/formats/format-traits.ts';
import type { ExportBucket } from '../../../store/ports/files/export-bucket.ts';
import type { JobKind, JobStore, JobView } from '../../../store/ports/jobs/job-store.ts';
import { type ArchiveFileDeps, archiveFile } from '../../archives/export-archive.ts';
import { findArchive } from '../../archives/find-archive.ts';
import type { Call } from '../../call.ts';
import type { Caller } from '../../caller.ts';
import { type FindJobDeps, findJob, type JobName, type ReadJobDeps } from '../job-status.ts';
import type { ExportFile, FinishedExports } from './finished-export.ts';
import { type ExportedJob, type ExportSource, type ResultSlice, readSlices } from './read-slices.ts';
import { requestedFormats } from './requested-formats.ts';

/** What a caller may choose besides the format. */
export interface ExportChoice {
  license?: string;
}

/** Makes a file of the documents, which it reads in slices. */
export type ExportWriter = (
  slices: AsyncIterable<ResultSlice>,
  from: ExportSource,
  choice: ExportChoice,
) => AsyncIterable<Uint8Array>;

const WRITERS: Readonly<Record<DocumentFormat, () => Promise<ExportWriter>>> = {
  jsonl: async () => (await import('./json-lines.ts')).writeJsonLines,
  json: async () => (await import('./json-list.ts')).writeJsonList,
  csv: async () => (await import('./tables/csv.ts')).writeCsv,
  markdown: async () => (await import('./markdown-text.ts')).writeMarkdown,
  chunks: async () => (await import('./chunk-lines.ts')).writeChunkLines,
  zip: async () => (await import('./zip.ts')).writeZip,
  parquet: async () => (await import('./tables/parquet.ts')).writeParquet,
  huggingface: async () => (await import('./tables/huggingface.ts')).writeHuggingFace,
  llms: async () => (await import('./site/llms.ts')).writeLlms,
  'llms-full': async () => (await import('./site/llms.ts')).writeLlmsFull,
  sitemap: async () => (await import('./site/sitemap.ts')).writeSitemap,
  warc: async () => (await import('./warc.ts')).writeWarc,
};

export const loadWriter = (format: DocumentFormat): Promise<ExportWriter> => WRITERS[format]();

/** Formats without which there would be nothing to export. */
const NEEDED: Partial<Record<ExportFormat, FormatType>> = {
  markdown: 'markdown',
  chunks: 'chunks',
  'llms-full': 'markdown',
};

const ENDED: ReadonlySet<JobStatus> = new Set<JobStatus>(['completed', 'failed', 'cancelled']);

export interface ExportDeps extends ReadJobDeps, ArchiveFileDeps {
  finishedExports: FinishedExports;
}

interface StoreExportDeps extends FindJobDeps, ArchiveFileDeps {
  jobs: Pick<JobStore, 'view' | 'results'>;
  /** Absent if the operator has set none. */
  exportBucket: ExportBucket | undefined;
}

interface AskedExport extends ExportChoice {
  format: ExportFormat;
  partial: boolean;
}

/** The job, and how its file is made. Throws what is wrong with the request. */
async function prepare(
  deps: StoreExportDeps | ExportDeps,
  caller: Caller,
  name: JobName,
  { format, partial, ...choice }: AskedExport,
) {
  const job = await findJob(deps, caller, name);
  const hasEnded = ENDED.has(job.status);
  if (!hasEnded && !partial) throw unfinished(job);
  const needed = NEEDED[format];
  if (needed !== undefined && !requestedFormats(job).includes(needed)) throw withoutFormat(needed);
  const { type, extension } = EXPORT_FILES[format];
  const file =
    (await fileOfArchive(deps, caller, job.id, format)) ?? (await fileOfDocuments(deps, job, format, choice));
  return {
    ...{ job, hasEnded, type, file },
    fileName: `${job.kind === 'crawl' ? 'crawl' : 'batch'}-${job.id}.${extension}`,
  };
}

/** Exactly what was received, if the job has kept it. */
async function fileOfArchive(
  deps: StoreExportDeps | ExportDeps,
  caller: Caller,
  id: string,
  format: ExportFormat,
): Promise<ExportFile | undefined> {
  if (format !== 'wacz' && format !== 'warc') return undefined;
  const isKept = (await deps.archives.find(id, caller.team.id, deps.clock.now())) !== undefined;
  return isKept ? archiveFile(deps, await findArchive(deps, caller, id), format) : undefined;
}

async function fileOfDocuments(
  { jobs }: Pick<StoreExportDeps, 'jobs'>,
  job: JobView,
  format: ExportFormat,
  choice: ExportChoice,
): Promise<ExportFile> {
  if (format === 'wacz') throw withoutArchive();
  const write = await loadWriter(format);
  // Pages that are finished from now on are left out: their number is already promised.
  const exported: ExportedJob = { id: job.id, documents: job.completed };
  return {
    // A job that runs again has other documents then.
    of: ['job', job.id, job.finishedAt, job.completed, format, choice],
    expiresAt: job.expiresAt,
    headers: {},
    make: (signal) => write(readSlices(jobs, exported, signal), job, choice),
  };
}

const shownStatus = ({ pausedAt, status }: JobView) => (pausedAt === undefined ? status : 'paused');

const exportJob =
  (kind: JobKind) =>
  async (deps: ExportDeps, { caller, params, query }: Call<'exportCrawl' | 'exportBatch'>): Promise<Download> => {
    const { signal } = caller;
    const { job, hasEnded, type, fileName, file } = await prepare(deps, caller, { ...params, kind }, query);
    const isKept = hasEnded && !job.zeroDataRetention;
    const complete = isKept ? await deps.finishedExports.open({ ...file, type, jobId: job.id, signal }) : undefined;
    return new Download(complete ?? file.make(signal), {
      type,
      name: fileName,
      headers: { ...file.headers, [JOB_STATUS_HEADER]: shownStatus(job), [DOCUMENTS_HEADER]: String(job.completed) },
    });
  };
export const exportCrawl = exportJob('crawl');
export const exportBatch = exportJob('batch_scrape');

const storeExport =
  (kind: JobKind) =>
  async (
    deps: StoreExportDeps,
    { caller, params, body: { destination: _, ...asked } }: Call<'storeCrawlExport' | 'storeBatchExport'>,
  ): Promise<StoreExportResponse> => {
    const { job, fileName, file } = await prepare(deps, caller, { ...params, kind }, asked);
    if (!deps.exportBucket) throw new ServiceError('NO_EXPORT_BUCKET');
    if (job.zeroDataRetention) throw new ServiceError('EXPORT_NOT_STORED');
    const written = await deps.exportBucket.write(`${caller.team.id}/${fileName}`, file.make(caller.signal));
    const status = shownStatus(job);
    return { success: true, id: job.id, status, format: asked.format, ...written, documents: job.completed };
  };
export const storeCrawlExport = storeExport('crawl');
export const storeBatchExport = storeExport('batch_scrape');

const withoutArchive = (): ServiceError =>
  new ServiceError('ARCHIVE_NOT_FOUND', {
    message:
      'The job has no archive: it was started without `archive`, or no page has answered yet. Export it as jsonl, json, csv, markdown, zip or warc.',
  });

const unfinished = ({ pausedAt, completed, total }: JobView): ServiceError =>
  new ServiceError('JOB_UNFINISHED', {
    message: `The job is ${pausedAt === undefined ? 'still running' : 'paused'}: ${completed} of ${total} pages are done. Wait for its end, or send \`partial=true\` to export the pages that it has so far.`,
  });

const withoutFormat = (type: FormatType): ServiceError =>
  new ServiceError('BAD_REQUEST', {
    message: `The job was started without the format \`${type}\`. Export it as jsonl, json, csv, zip, parquet or warc.`,
  });
