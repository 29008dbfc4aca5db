// The pages of a job that have ended, the last first: what a list shows of each, without its content.
import type { JobPagesQuery, JobPagesResponse } from '../../../contracts/crawl/job-list.ts';
import type { JobKind, JobStore } from '../../../store/ports/jobs/job-store.ts';
import type { EndedPage } from '../../../store/ports/jobs/job-views.ts';
import { iso } from '../../../util/clock.ts';
import type { Call } from '../../call.ts';
import { type FindJobDeps, findJob } from '../job-status.ts';
import { readCursor, writeCursor } from './cursor.ts';

interface JobPagesDeps extends FindJobDeps {
  jobs: Pick<JobStore, 'view' | 'endedPages'>;
}

const STATES: Readonly<Record<JobPagesQuery['status'], EndedPage['state'][]>> = {
  all: ['done', 'failed'],
  ok: ['done'],
  failed: ['failed'],
};
const isTask = (text: string): boolean => /^\d{1,15}$/.test(text);

const jobPages =
  (kind: JobKind) =>
  async (
    deps: JobPagesDeps,
    { caller, params, query }: Call<'crawlPages' | 'batchPages'>,
  ): Promise<JobPagesResponse> => {
    const { status, limit, cursor } = query;
    const { id } = await findJob(deps, caller, { ...params, kind });
    const last = cursor === undefined ? undefined : readCursor(cursor, isTask);
    const after = last && { at: last.at, task: Number(last.name) };
    // One more than is returned shows whether there are more.
    const found = await deps.jobs.endedPages(id, { states: STATES[status], after, limit: limit + 1 });
    const returned = found.slice(0, limit);
    const end = found.length > limit ? returned.at(-1) : undefined;
    return { success: true, data: returned.map(showPage), cursor: end ? writeCursor(end.at, end.task) : null };
  };
export const crawlPages = jobPages('crawl');
export const batchPages = jobPages('batch_scrape');

const showPage = (page: EndedPage): JobPagesResponse['data'][number] => ({
  scrapeId: page.id,
  url: page.url,
  status: page.state === 'done' ? 'ok' : 'failed',
  endedAt: iso(page.at),
  ...(page.statusCode !== undefined && { statusCode: page.statusCode }),
  ...(page.title !== undefined && { title: page.title }),
  ...(page.credits !== undefined && { creditsUsed: page.credits }),
  ...(page.warning !== undefined && { warning: page.warning }),
  ...(page.code !== undefined && { code: page.code, error: page.message ?? '' }),
});
