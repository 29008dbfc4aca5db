// Where webhook calls go and what they say, read from the jobs and the runs that they report on.
import type { WebhookTarget } from '../../../contracts/webhook.ts';
import { lazy } from '../../../util/lazy.ts';
import type { Bytes } from '../../encoding/join-bytes.ts';
import type { SealedRequests, SealedText } from '../../encoding/sealed-requests.ts';
import type { JobKind } from '../../job-store.ts';
import type { CallFacts, CallRow } from '../../records/deliveries/delivery-record.ts';
import {
  type EventContent,
  failedPageContent,
  hasBody,
  isPageEvent,
  jobBody,
  jobContent,
  type ReportedPage,
  runBody,
  typeOf,
} from '../../records/deliveries/webhook-body.ts';
import type { RunEvent, RunWebhook } from '../../run-store.ts';
import type { Database } from '../database/database.ts';
import type { DocumentJson } from '../jobs/document-json.ts';

export interface Call extends CallFacts {
  /** Undefined if it cannot be written after all: its page was tried again or removed since. */
  body(): Promise<Bytes | undefined>;
}

/** The calls of these rows; undefined where the job or the run has expired. Never call it in a transaction: it reads blobs. */
export type CallSource = (rows: readonly CallRow[]) => Promise<(Call | undefined)[]>;

interface RunSender {
  number: number;
  id: string;
  teamId: string;
  webhook: SealedText;
  zeroDataRetention: boolean;
}

interface JobSender extends RunSender {
  kind: JobKind;
  error: string | null;
}

export interface CallSourceDeps {
  database: Pick<Database, 'sql'>;
  documentJson: Pick<DocumentJson, 'ofScrape'>;
  sealed: SealedRequests;
}

export function createCallSource({ database: { sql }, documentJson, sealed }: CallSourceDeps): CallSource {
  const findJobs = async (numbers: number[]): Promise<Map<number, JobSender>> => {
    if (numbers.length === 0) return new Map();
    const found = await sql<JobSender[]>`
      SELECT number, id, kind, error, team_id AS "teamId", webhook, zero_data_retention AS "zeroDataRetention"
      FROM jobs JOIN job_requests ON job = number WHERE number = ANY(${numbers})`;
    return new Map(found.map((job) => [job.number, job]));
  };
  const findRuns = async (numbers: number[]): Promise<Map<number, RunSender>> => {
    if (numbers.length === 0) return new Map();
    const found = await sql<RunSender[]>`
      SELECT number, id, team_id AS "teamId", webhook, zero_data_retention AS "zeroDataRetention"
      FROM runs WHERE number = ANY(${numbers})`;
    return new Map(found.map((run) => [run.number, run]));
  };

  const pageContent = async (task: number): Promise<EventContent | undefined> => {
    const [page] = await sql<ReportedPage[]>`
      SELECT state, url, scrape_id AS "scrapeId", message FROM tasks WHERE id = ${task}`;
    if (!page) return undefined;
    return page.state === 'failed'
      ? failedPageContent(page)
      : { document: await documentJson.ofScrape(sql, page.scrapeId) };
  };

  const bodyOfJob = async (call: CallRow, job: JobSender, metadata: unknown) => {
    const content = isPageEvent(call) ? call.task !== null && (await pageContent(call.task)) : jobContent(call, job);
    return content ? jobBody(call, job, content, metadata) : undefined;
  };
  const bodyOfRun = async ({ content, webhookId }: CallRow, { id, teamId }: RunSender, metadata: unknown) => {
    const event = content === null ? undefined : ((await sealed.openLarge(content, teamId)) as RunEvent | undefined);
    return event && runBody(webhookId, id, event, metadata);
  };

  const callOf = (
    { id: senderId, teamId, webhook, zeroDataRetention: isZeroRetention }: RunSender,
    about: Pick<Call, 'type' | 'hasBody'>,
    write: (metadata: unknown) => Promise<Bytes | undefined>,
  ): Call => {
    const target = lazy(() => sealed.open(webhook, teamId) as WebhookTarget | RunWebhook | undefined);
    return { ...about, senderId, isZeroRetention, target, body: async () => target() && write(target()!.metadata) };
  };

  return async (rows) => {
    const numbersOf = (of: 'job' | 'run') => [...new Set(rows.map((row) => row[of]).filter((one) => one !== null))];
    const [jobs, runs] = await Promise.all([findJobs(numbersOf('job')), findRuns(numbersOf('run'))]);
    return rows.map((row) => {
      const job = row.job === null ? undefined : jobs.get(row.job);
      if (job) {
        const about = { type: typeOf(job, row), hasBody: hasBody(row) };
        return callOf(job, about, (metadata) => bodyOfJob(row, job, metadata));
      }
      const run = row.run === null ? undefined : runs.get(row.run);
      const about = { type: row.event, hasBody: row.content !== null };
      return run && callOf(run, about, (metadata) => bodyOfRun(row, run, metadata));
    });
  };
}
