// The pages of a job that have ended, the last first: what a list shows of each, without its content.
import type { JobPagesQuery, JobPagesResponse } from '../../../contracts/job-list.ts';
import type { JobStore } from '../../../store/job-store.ts';
import type { EndedPage } from '../../../store/job-views.ts';
import { iso } from '../../../util/clock.ts';
import type { Caller } from '../../caller.ts';
import { type FindJobDeps, findJob, type JobName } from '../job-status.ts';
import { readCursor, writeCursor } from './cursor.ts';

export interface JobPagesDeps extends FindJobDeps {
  jobs: Pick<JobStore, 'view' | 'endedPages'>;
}

const STATES: Readonly<Record<JobPagesQuery['status'], EndedPage['state'][]>> = {
  all: ['done', 'failed'],
  ok: ['done'],
  failed: ['failed'],
};
const isTask = (text: string): boolean => /^\d{1,15}$/.test(text);

export async function jobPages(
  deps: JobPagesDeps,
  caller: Caller,
  { query, ...name }: JobName & { query: JobPagesQuery },
): Promise<JobPagesResponse> {
  const { status, limit, cursor } = query;
  const { id } = await findJob(deps, caller, name);
  const last = cursor === undefined ? undefined : readCursor(cursor, isTask);
  const after = last && { at: last.at, task: Number(last.name) };
  // One more than is returned shows whether there are more.
  const found = await deps.jobs.endedPages(id, { states: STATES[status], after, limit: limit + 1 });
  const returned = found.slice(0, limit);
  const end = found.length > limit ? returned.at(-1) : undefined;
  return { success: true, data: returned.map(showPage), cursor: end ? writeCursor(end.at, end.task) : null };
}

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
