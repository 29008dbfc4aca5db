// The body of a webhook call. That of a job is written when the call is made; that of a run says what was true then.
import type { WebhookEvent } from '../../../contracts/webhooks/webhook.ts';
import { type Bytes, joinBytes } from '../../encoding/join-bytes.ts';
import type { JobKind } from '../../ports/jobs/job-store.ts';
import type { RunEvent } from '../../ports/runs/run-store.ts';

interface JobCall {
  webhookId: string;
  event: string;
  /** Task of a page event; null once the page was tried again. */
  task: number | null;
}

interface SendingJob {
  id: string;
  kind: JobKind;
  error: string | null;
}

/** A page that an event reports. */
export interface ReportedPage {
  state: string;
  url: string;
  scrapeId: string;
  message: string;
}

/** What an event reports: the document of its page, and what went wrong. */
export interface EventContent {
  document?: Uint8Array;
  error?: string;
}

const EMPTY = new Uint8Array();

export const isPageEvent = ({ event }: Pick<JobCall, 'event'>): boolean => (event as WebhookEvent) === 'page';

/** False if the page of the event was tried again since. */
export const hasBody = (call: JobCall): boolean => !isPageEvent(call) || call.task !== null;

/** The event in full, as receivers know it. */
export const typeOf = ({ kind }: Pick<SendingJob, 'kind'>, { event }: Pick<JobCall, 'event'>): string =>
  `${kind}.${event}`;

/** What an event about the job itself reports. */
export function jobContent({ event }: JobCall, job: SendingJob): EventContent {
  if ((event as WebhookEvent) === 'cancelled') return { error: 'The job was cancelled.' };
  return event === 'failed' ? { error: job.error ?? 'The job failed.' } : {};
}

export function failedPageContent({ url, scrapeId, message: error }: ReportedPage): EventContent {
  const metadata = { sourceURL: url, url, statusCode: 500, error, scrapeId };
  return { document: Buffer.from(JSON.stringify({ metadata })), error };
}

export function jobBody(call: JobCall, job: SendingJob, { document, error }: EventContent, metadata: unknown): Bytes {
  const type = typeOf(job, call);
  const { webhookId } = call;
  const head = JSON.stringify({ success: error === undefined, type, id: job.id, webhookId }).slice(0, -1);
  const tail = JSON.stringify({ metadata, error }).slice(1);
  return joinBytes([Buffer.from(`${head},"data":[`), document ?? EMPTY, Buffer.from(`],${tail}`)]);
}

export function runBody(webhookId: string, runId: string, event: RunEvent, metadata: unknown): Bytes {
  const { type, success, data, error } = event;
  return joinBytes([Buffer.from(JSON.stringify({ success, type, id: runId, webhookId, data, metadata, error }))]);
}
