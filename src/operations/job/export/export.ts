// Exports a job: all of its documents as one file in the format of the caller's choice, made while it is sent.

import { Download } from '../../../archive/download.ts';
import {
  DOCUMENTS_HEADER,
  EXPORT_FILES,
  type ExportFormat,
  JOB_STATUS_HEADER,
} from '../../../contracts/crawl/export.ts';
import type { JobStatus } from '../../../contracts/crawl/job.ts';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { FormatType } from '../../../contracts/formats/format-traits.ts';
import type { StoredArchive } from '../../../store/ports/files/archive-store.ts';
import type { JobKind, JobView } from '../../../store/ports/jobs/job-store.ts';
import type { Clock } from '../../../util/clock.ts';
import { type ExportArchiveDeps, writeExport } from '../../archives/export-archive.ts';
import { findArchive } from '../../archives/find-archive.ts';
import type { Call } from '../../call.ts';
import type { Caller } from '../../caller.ts';
import { findJob, type ReadJobDeps } from '../job-status.ts';
import { type ExportedJob, type ExportSource, type ResultSlice, readSlices } from './read-slices.ts';
import { requestedFormats } from './requested-formats.ts';

/** Makes a file of the documents, which it reads in slices. */
export type ExportWriter = (slices: AsyncIterable<ResultSlice>, from: ExportSource) => AsyncIterable<Uint8Array>;

const WRITERS: Readonly<Record<Exclude<ExportFormat, 'wacz'>, () => Promise<ExportWriter>>> = {
  jsonl: async () => (await import('./json-lines.ts')).writeJsonLines,
  json: async () => (await import('./json-list.ts')).writeJsonList,
  csv: async () => (await import('./csv.ts')).writeCsv,
  markdown: async () => (await import('./markdown-text.ts')).writeMarkdown,
  chunks: async () => (await import('./chunk-lines.ts')).writeChunkLines,
  zip: async () => (await import('./zip.ts')).writeZip,
  warc: async () => (await import('./warc.ts')).writeWarc,
};

export interface ExportJobDeps extends ReadJobDeps, ExportArchiveDeps {
  clock: Pick<Clock, 'now'>;
}

export type DocumentFormat = Exclude<ExportFormat, 'wacz'>;

export const loadWriter = (format: DocumentFormat): Promise<ExportWriter> => WRITERS[format]();

/** Formats without which there would be nothing to export. */
const NEEDED: Partial<Record<ExportFormat, FormatType>> = { markdown: 'markdown', chunks: 'chunks' };

const ENDED: ReadonlySet<JobStatus> = new Set<JobStatus>(['completed', 'failed', 'cancelled']);

const exportJob =
  (kind: JobKind) =>
  async (deps: ExportJobDeps, { caller, params, query }: Call<'exportCrawl' | 'exportBatch'>): Promise<Download> => {
    const { format, partial } = query;
    const job = await findJob(deps, caller, { ...params, kind });
    if (!ENDED.has(job.status) && !partial) throw unfinished(job);
    const needed = NEEDED[format];
    if (needed !== undefined && !requestedFormats(job).includes(needed)) throw withoutFormat(needed);
    const headers = {
      [JOB_STATUS_HEADER]: job.pausedAt === undefined ? job.status : 'paused',
      [DOCUMENTS_HEADER]: String(job.completed),
    };
    const archive = await archiveOf(deps, caller, job.id, format);
    if (archive) return writeExport(deps, caller, archive, format === 'warc' ? format : 'wacz', headers);
    if (format === 'wacz') throw withoutArchive();
    const { type, extension } = EXPORT_FILES[format];
    const write = await loadWriter(format);
    // Pages that are finished from now on are left out: their number is already promised.
    const exported: ExportedJob = { id: job.id, documents: job.completed };
    return new Download(write(readSlices(deps.jobs, exported, caller.signal), job), {
      type,
      name: `${job.kind === 'crawl' ? 'crawl' : 'batch'}-${job.id}.${extension}`,
      headers,
    });
  };
export const exportCrawl = exportJob('crawl');
export const exportBatch = exportJob('batch_scrape');

/** Undefined if the job has none, or if another format is wanted. */
async function archiveOf(
  deps: ExportJobDeps,
  caller: Caller,
  id: string,
  format: ExportFormat,
): Promise<StoredArchive | undefined> {
  const isKept =
    (format === 'wacz' || format === 'warc') && (await deps.archives.find(id, caller.team.id, deps.clock.now()));
  return isKept ? findArchive(deps, caller, id) : undefined;
}

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
    message: `The job was started without the format \`${type}\`. Export it as jsonl, json, csv, zip or warc.`,
  });
