// Answers whose bytes move to the thread of the service instead of being copied.
import { type Hosted, Moved } from '../../runtime/threads/thread.ts';
import type { JobReads } from '../sql/jobs/job-views/job-reads.ts';
import type { CachedPageRows } from '../sql/pages/cache/cached-page-rows.ts';

type Find = Pick<CachedPageRows, 'find'>;
type Results = Pick<JobReads, 'results'>;

export const movedPage =
  ({ find }: Find): Hosted<Find>['find'] =>
  async (query) => {
    const page = await find(query);
    const bytes = page && ('bytes' in page ? page.bytes : page.stored);
    return bytes ? new Moved(page, [bytes.buffer]) : page;
  };

export const movedResults =
  ({ results }: Results): Hosted<Results>['results'] =>
  async (id, query) => {
    const page = await results(id, query);
    return new Moved(page, [page.json.buffer]);
  };
