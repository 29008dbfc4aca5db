// The body of a webhook call for a job. It is written when the call is made, from the rows of the job.
import type { WebhookEvent } from '../../../contracts/webhook.ts';
import type { Connection } from '../../../util/sqlite.ts';
import type { JobKind } from '../../job-store.ts';
import type { DocumentJson } from '../jobs/document-json.ts';
import { type Bytes, joinBytes } from '../join-bytes.ts';
import type { SealedText } from '../sealed-requests.ts';

export interface JobDelivery {
  job: number;
  webhookId: string;
  event: string;
  task: number | null;
}

export interface JobSender {
  id: string;
  kind: JobKind;
  error: string | null;
  teamId: string;
  webhook: SealedText;
  zeroDataRetention: 0 | 1;
}

interface PageRow {
  state: string;
  url: string;
  scrapeId: string;
  message: string;
}

/** What an event reports: the document of its page, and what went wrong. */
interface EventContent {
  document?: Uint8Array;
  error?: string;
}

export interface JobEvents {
  /** Undefined if the job has expired. */
  sender(job: number): JobSender | undefined;
  /** False if the page of the event was tried again since. */
  hasBody(delivery: JobDelivery): boolean;
  /** Undefined if the page of the event was tried again or removed since. */
  body(delivery: JobDelivery, sender: JobSender, metadata: unknown): Bytes | undefined;
}

export function createJobEvents(connection: Connection, documentJson: DocumentJson): JobEvents {
  const findJob = connection.prepare<JobSender>(
    `SELECT id, kind, error, team_id AS teamId, webhook, zero_data_retention AS zeroDataRetention
     FROM jobs JOIN job_requests ON job = number WHERE number = ?`,
  );
  const findPage = connection.prepare<PageRow>(
    'SELECT state, url, scrape_id AS scrapeId, message FROM tasks WHERE id = ?',
  );

  const pageContent = (taskId: number): EventContent | undefined => {
    const page = findPage.get(taskId);
    if (!page) return undefined;
    if (page.state !== 'failed') return { document: documentJson.ofScrape(page.scrapeId) };
    const { url, scrapeId, message: error } = page;
    const metadata = { sourceURL: url, url, statusCode: 500, error, scrapeId };
    return { document: Buffer.from(JSON.stringify({ metadata })), error };
  };

  const eventContent = ({ event, task }: JobDelivery, job: JobSender): EventContent | undefined => {
    if (isPage(event)) return task === null ? undefined : pageContent(task);
    if ((event as WebhookEvent) === 'cancelled') return { error: 'The job was cancelled.' };
    return event === 'failed' ? { error: job.error ?? 'The job failed.' } : {};
  };

  return {
    hasBody: ({ event, task }) => !isPage(event) || task !== null,
    sender: (job) => findJob.get(job),
    body(delivery, job, metadata) {
      const content = eventContent(delivery, job);
      if (!content) return undefined;
      const { document, error } = content;
      const type = typeOf(job, delivery);
      const { webhookId } = delivery;
      const head = JSON.stringify({ success: error === undefined, type, id: job.id, webhookId }).slice(0, -1);
      const tail = JSON.stringify({ metadata, error }).slice(1);
      return joinBytes([Buffer.from(`${head},"data":[`), document ?? EMPTY, Buffer.from(`],${tail}`)]);
    },
  };
}

const isPage = (event: string): boolean => (event as WebhookEvent) === 'page';

/** The event in full, as receivers know it. */
export const typeOf = ({ kind }: Pick<JobSender, 'kind'>, { event }: Pick<JobDelivery, 'event'>): string =>
  `${kind}.${event}`;

const EMPTY = new Uint8Array();
