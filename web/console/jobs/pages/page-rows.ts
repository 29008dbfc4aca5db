// The pages of a crawl or batch as rows: the newest are followed while the job runs, older ones come on request.
import type { ResponseOf } from '../../../../src/contracts/route-types.ts';
import { call } from '../../api/call.ts';
import { useLive } from '../use-live.ts';
import { useOlder } from '../use-older.ts';

export type PageJobDetails = ResponseOf<'getJob'>['data'];
export type PageJobKind = 'crawl' | 'batch';
export type EndedPage = ResponseOf<'crawlPages'>['data'][number];

export interface JobPart {
  kind: PageJobKind;
  id: string;
  isRunning: boolean;
  /** Changes whenever the job does. */
  version: string;
}

const ROWS = 100;
const POLL_MS = 2_000;

/** The newest pages, followed while the job runs, and older ones on request. */
export function usePages({ kind, id, isRunning }: JobPart, status: 'ok' | 'failed') {
  const route = kind === 'crawl' ? 'crawlPages' : 'batchPages';
  const load = (cursor?: string, signal?: AbortSignal) =>
    call(route, { params: { id }, query: { status, limit: ROWS, cursor }, signal });
  // When the job ends, it is asked once more.
  const live = useLive(
    (signal) => load(undefined, signal),
    () => (isRunning ? POLL_MS : 0),
    [id, status, isRunning],
  );
  const older = useOlder<EndedPage>(live.data, ({ scrapeId }) => scrapeId, load, [id, status]);
  return { ...live, ...older, isLoadingMore: older.isLoading };
}
