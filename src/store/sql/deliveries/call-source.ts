// Where webhook calls go and what they say, read from the jobs and the runs that they report on.
import type { WebhookTarget } from '../../../contracts/webhooks/webhook.ts';
import { lazy } from '../../../util/lazy.ts';
import type { Bytes } from '../../encoding/join-bytes.ts';
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { JobKind } from '../../ports/jobs/job-store.ts';
import type { RunEvent, RunWebhook } from '../../ports/runs/run-store.ts';
import type { CallFacts, CallRow } from '../../rules/deliveries/delivery-record.ts';
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
} from '../../rules/deliveries/webhook-body.ts';
import type { Awaitable, BooleanColumn, Queries } from '../database.ts';
import type { Sealer } from '../sealer.ts';

export interface StoredCall extends CallFacts {
  /** Undefined if it cannot be written after all: its page was tried again or removed since. */
  body(): Promise<Bytes | undefined>;
}

/** The calls of these rows; undefined where the job or the run has expired. Never call it in a transaction: it reads blobs. */
export type CallSource = (rows: readonly CallRow[]) => Promise<(StoredCall | undefined)[]>;

export interface CallSourceDeps {
  database: Queries;
  documents: {
    /** The document of a scrape as JSON; undefined if it is no longer stored. */
    ofScrape(id: string): Awaitable<Uint8Array | undefined>;
  };
  sealed: Sealer;
}

interface RunRow {
  number: number;
  id: string;
  teamId: string;
  webhook: SealedText;
  zeroDataRetention: BooleanColumn;
}

interface JobRow extends RunRow {
  kind: JobKind;
  error: string | null;
}

/** A job or a run: all of its calls go to the same target. */
type Sender<Row> = Row & { target(): Promise<WebhookTarget | RunWebhook | undefined> };

export function createCallSource({ database, documents, sealed }: CallSourceDeps): CallSource {
  const byNumber = <Row extends RunRow>(rows: readonly Row[]): Map<number, Sender<Row>> => {
    const senderOf = (row: Row) => ({
      ...row,
      target: lazy(async () => (await sealed.open(row.webhook, row.teamId)) as WebhookTarget | RunWebhook | undefined),
    });
    return new Map(rows.map((row) => [row.number, senderOf(row)]));
  };
  const findJobs = async (numbers: readonly number[]) =>
    byNumber(
      numbers.length === 0
        ? []
        : await database.rows<JobRow>`
            SELECT number, id, kind, error, team_id AS "teamId", webhook, zero_data_retention AS "zeroDataRetention"
            FROM jobs JOIN job_requests ON job = number WHERE number = ANY(${numbers}::bigint[])`,
    );
  const findRuns = async (numbers: readonly number[]) =>
    byNumber(
      numbers.length === 0
        ? []
        : await database.rows<RunRow>`
            SELECT number, id, team_id AS "teamId", webhook, zero_data_retention AS "zeroDataRetention"
            FROM runs WHERE number = ANY(${numbers}::bigint[])`,
    );

  const pageContent = async (task: number): Promise<EventContent | undefined> => {
    const page = await database.one<ReportedPage>`
      SELECT state, url, scrape_id AS "scrapeId", message FROM tasks WHERE id = ${task}`;
    if (!page) return undefined;
    return page.state === 'failed' ? failedPageContent(page) : { document: await documents.ofScrape(page.scrapeId) };
  };

  const bodyOfJob = async (call: CallRow, job: JobRow, metadata: unknown) => {
    const content = isPageEvent(call) ? call.task !== null && (await pageContent(call.task)) : jobContent(call, job);
    return content ? jobBody(call, job, content, metadata) : undefined;
  };
  const bodyOfRun = async ({ content, webhookId }: CallRow, { id, teamId }: RunRow, metadata: unknown) => {
    const event = content === null ? undefined : ((await sealed.open(content, teamId)) as RunEvent | undefined);
    return event && runBody(webhookId, id, event, metadata);
  };

  const callOf = (
    { id: senderId, zeroDataRetention, target }: Sender<RunRow>,
    about: Pick<StoredCall, 'type' | 'hasBody'>,
    write: (metadata: unknown) => Promise<Bytes | undefined>,
  ): StoredCall => ({
    ...{ ...about, senderId, isZeroRetention: Boolean(zeroDataRetention), target },
    async body() {
      const to = await target();
      return to && write(to.metadata);
    },
  });

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
