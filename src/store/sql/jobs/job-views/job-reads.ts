// What the status of a job shows: the job as it is now, and its documents.
import { freeBuffersOf } from '../../../../util/bytes/free-bytes.ts';
import { type Bytes, joinBytes } from '../../../encoding/join-bytes.ts';
import type { JobStore, ResultPage } from '../../../ports/jobs/job-store.ts';
import { isReadable } from '../../../rules/jobs/job-record.ts';
import type { Database } from '../../database.ts';
import type { DocumentJson } from '../document-json.ts';
import type { JobRows } from '../job-rows.ts';

/** For the rest of the answer, so that megabytes need not be copied for it. */
const ANSWER_ROOM = 4096;
const COMMA = new TextEncoder().encode(',');

export interface JobReads extends Pick<JobStore, 'view'> {
  results(...args: Parameters<JobStore['results']>): Promise<ResultPage & { json: Bytes }>;
}

interface JobReadsDeps {
  database: Database;
  rows: Pick<JobRows, 'view' | 'find'>;
  documentJson: Pick<DocumentJson, 'ofJob'>;
}

export const createJobReads = ({ database, rows, documentJson }: JobReadsDeps): JobReads => ({
  async view(id, teamId, now) {
    const job = await rows.view(id);
    return job?.teamId === teamId && isReadable(job, now) ? job : undefined;
  },

  async results(id, { skip, limit, maxBytes }) {
    const job = await rows.find(database, id);
    const parts: Uint8Array[] = [];
    const ends: number[] = [];
    let bytes = 0;
    for await (const document of job ? documentJson.ofJob(job.number, skip, limit) : []) {
      const length = document.reduce((sum, part) => sum + part.byteLength, 0);
      if (ends.length > 0 && bytes + length > maxBytes) break;
      ends.push(bytes + length);
      bytes += length + COMMA.byteLength;
      parts.push(...document, COMMA);
    }
    const json = joinBytes(parts.slice(0, -1), ANSWER_ROOM);
    freeBuffersOf(parts);
    return { count: ends.length, ends, json, room: ANSWER_ROOM };
  },
});
