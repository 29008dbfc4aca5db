// Jobs as a caller uses them: start one, wait for its end, read all results.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, RunningService } from './service.ts';

export const CRAWL = '/v2/crawl';
export const BATCH = '/v2/batch/scrape';

export interface JobDocument {
  markdown?: string;
  html?: string;
  rawHtml?: string;
  links?: string[];
  warning?: string;
  metadata: {
    sourceURL: string;
    url: string;
    statusCode: number;
    scrapeId: string;
    error?: string;
    cacheState?: string;
    numPages?: number;
  };
}

export interface JobStatus {
  success: boolean;
  status: 'scraping' | 'completed' | 'failed' | 'cancelled';
  total: number;
  completed: number;
  creditsUsed: number;
  createdAt: string;
  expiresAt: string;
  completedAt?: string;
  duration?: number;
  warning?: string;
  next?: string;
  data: JobDocument[];
}

export interface JobProblems {
  success: boolean;
  errors: { id: string; timestamp: string; url: string; code: string; error: string }[];
  robotsBlocked: string[];
}

export interface EndedJob {
  id: string;
  /** The first page of the results. */
  status: JobStatus;
  documents: JobDocument[];
  problems: JobProblems;
}

const POLL_MS = 50;
const TIMEOUT_MS = 120_000;

/** The answer to a GET, with its status. */
export async function read<T = Record<string, unknown>>(service: RunningService, path: string): Promise<Answer<T>> {
  const response = await service.fetch(path);
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
}

export async function cancel(service: RunningService, path: string): Promise<Answer> {
  const response = await service.fetch(path, { method: 'DELETE' });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

/** Starts a job and returns its id. */
export async function startJob(service: RunningService, path: string, request: object): Promise<string> {
  const { status, body } = await service.post<{ id: string }>(path, request);
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** Polls until `isDone` is true. Fails after two minutes with the last answer. */
export async function until<T>(ask: () => Promise<T>, isDone: (seen: T) => boolean): Promise<T> {
  for (const since = performance.now(); ; await sleep(POLL_MS)) {
    const seen = await ask();
    if (isDone(seen)) return seen;
    assert.ok(
      performance.now() - since < TIMEOUT_MS,
      `Timed out; the last answer was ${JSON.stringify(seen).slice(0, 1000)}`,
    );
  }
}

export const jobEnd = (service: RunningService, path: string): Promise<JobStatus> =>
  until(
    async () => (await read<JobStatus>(service, path)).body,
    ({ status }) => status !== 'scraping',
  );

/** All documents from this page on, following `next`. */
export async function allDocuments(service: RunningService, page: JobStatus): Promise<JobDocument[]> {
  const documents = [...page.data];
  for (let next = page.next; next !== undefined; ) {
    const { status, body } = await read<JobStatus>(service, next);
    assert.equal(status, 200);
    documents.push(...body.data);
    next = body.next;
  }
  return documents;
}

/** Starts a job, waits for its end and reads all results. */
export async function runJob(service: RunningService, path: string, request: object): Promise<EndedJob> {
  return endedJob(service, path, await startJob(service, path, request));
}

/** Waits for the end of a job and reads all results. */
export async function endedJob(service: RunningService, path: string, id: string): Promise<EndedJob> {
  const status = await jobEnd(service, `${path}/${id}`);
  const { body: problems } = await read<JobProblems>(service, `${path}/${id}/errors`);
  return { id, status, documents: await allDocuments(service, status), problems };
}

export const runCrawl = (service: RunningService, request: object): Promise<EndedJob> =>
  runJob(service, CRAWL, request);
export const runBatch = (service: RunningService, request: object): Promise<EndedJob> =>
  runJob(service, BATCH, request);

/** Paths and queries of the documents, sorted. */
export const pathsOf = (documents: readonly JobDocument[]): string[] =>
  documents.map(({ metadata }) => pathOf(metadata.url)).sort();

export function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
