// What the webhook calls of a job report, read from its rows when a call is made.
import type { Connection } from '../../../util/sqlite.ts';
import type { Bytes } from '../../encoding/join-bytes.ts';
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { JobKind } from '../../job-store.ts';
import {
  type EventContent,
  failedPageContent,
  isPageEvent,
  type JobCall,
  jobBody,
  jobContent,
  type ReportedPage,
} from '../../records/deliveries/webhook-body.ts';
import type { DocumentJson } from '../jobs/document-json.ts';

export interface JobSender {
  id: string;
  kind: JobKind;
  error: string | null;
  teamId: string;
  webhook: SealedText;
  zeroDataRetention: 0 | 1;
}

export interface JobEvents {
  /** Undefined if the job has expired. */
  sender(job: number): JobSender | undefined;
  /** Undefined if the page of the event was tried again or removed since. */
  body(call: JobCall, sender: JobSender, metadata: unknown): Bytes | undefined;
}

export function createJobEvents(connection: Connection, documentJson: DocumentJson): JobEvents {
  const findJob = connection.prepare<JobSender>(
    `SELECT id, kind, error, team_id AS teamId, webhook, zero_data_retention AS zeroDataRetention
     FROM jobs JOIN job_requests ON job = number WHERE number = ?`,
  );
  const findPage = connection.prepare<ReportedPage>(
    'SELECT state, url, scrape_id AS scrapeId, message FROM tasks WHERE id = ?',
  );

  const pageContent = (taskId: number): EventContent | undefined => {
    const page = findPage.get(taskId);
    if (!page) return undefined;
    return page.state === 'failed' ? failedPageContent(page) : { document: documentJson.ofScrape(page.scrapeId) };
  };

  const contentOf = (call: JobCall, job: JobSender): EventContent | undefined => {
    if (!isPageEvent(call)) return jobContent(call, job);
    return call.task === null ? undefined : pageContent(call.task);
  };

  return {
    sender: (job) => findJob.get(job),
    body(call, job, metadata) {
      const content = contentOf(call, job);
      return content && jobBody(call, job, content, metadata);
    },
  };
}
