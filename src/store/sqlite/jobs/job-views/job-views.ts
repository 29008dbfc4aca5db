// What lists show of jobs: each is one query on an index, however large the jobs are.
import type { Connection } from '../../../../util/sqlite.ts';
import type { JobViews } from '../../../job-views.ts';
import type { Served } from '../../served.ts';
import { createEndedPages } from './ended-pages.ts';
import { createFrontierCounts } from './frontier-counts.ts';
import { createJobList } from './job-list.ts';

export function createJobViews(connection: Connection): Served<JobViews> {
  // By their keys, for which there is an index: those are the ids of their scrapes, which increase with time.
  const batchUrls = connection.prepare<{ url: string }>(
    `SELECT url FROM (SELECT id, url FROM tasks
       WHERE job = (SELECT number FROM jobs WHERE jobs.id = ? AND jobs.kind = 'batch_scrape') ORDER BY key LIMIT ?)
     ORDER BY id`,
  );
  return {
    list: createJobList(connection),
    endedPages: createEndedPages(connection),
    frontier: createFrontierCounts(connection),
    batchUrls: (id, limit) => batchUrls.all(id, limit).map(({ url }) => url),
  };
}
