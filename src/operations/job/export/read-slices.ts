// The documents of a job in order, in slices of bounded size: whatever the size of the job, one slice is in memory.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { JobKind, JobStore, JobView, ResultPage } from '../../../store/ports/jobs/job-store.ts';

export type ResultSlice = Pick<ResultPage, 'json' | 'ends'>;

/** What writers know about where the documents come from. */
export interface ExportSource extends Pick<JobView, 'id' | 'options' | 'createdAt'> {
  kind: JobKind | 'collection';
  /** Where a crawl began. */
  url?: string | undefined;
}

export interface ExportedJob {
  id: string;
  /** How many documents are exported, from the first. */
  documents: number;
}

/** Small, because a client that reads slowly holds a slice for as long as it likes. */
export const SLICE_BYTES = 512 * 1024;
export const SLICE_DOCUMENTS = 200;

export async function* readSlices(
  jobs: Pick<JobStore, 'results'>,
  { id, documents }: ExportedJob,
  signal: AbortSignal,
): AsyncGenerator<ResultSlice> {
  for (let skip = 0; skip < documents; ) {
    signal.throwIfAborted();
    const limit = Math.min(SLICE_DOCUMENTS, documents - skip);
    const { count, ...slice } = await jobs.results(id, { skip, limit, maxBytes: SLICE_BYTES });
    if (count === 0) throw new ServiceError('JOB_NOT_FOUND', { message: 'The job was deleted during its export.' });
    yield slice;
    skip += count;
  }
}

/** Each document of a slice as JSON text. */
export function* textsOf({ json, ends }: ResultSlice): Generator<Uint8Array> {
  let from = 0;
  for (const end of ends) {
    yield json.subarray(from, end);
    // A comma stands between two documents.
    from = end + 1;
  }
}
