// What lists show of jobs: each is one query on an index, however large the jobs are.
import type { JobViews } from '../../../ports/jobs/job-views.ts';
import type { Database } from '../../database.ts';
import { createEndedPages } from './ended-pages.ts';
import { createFrontierCounts, type HostMemories } from './frontier-counts.ts';
import { createJobList } from './job-list.ts';

export function createJobViews(database: Database, memoriesOfOthers: HostMemories): JobViews {
  return {
    list: createJobList(database),
    endedPages: createEndedPages(database),
    frontier: createFrontierCounts(database, memoriesOfOthers),
    // By their keys, for which there is an index: those are the ids of their scrapes, which increase with time.
    async batchUrls(id, limit) {
      const rows = await database.rows<{ url: string }>`
        SELECT url FROM (SELECT id, url FROM tasks
          WHERE job = (SELECT number FROM jobs WHERE jobs.id = ${id} AND jobs.kind = 'batch_scrape')
          ORDER BY key LIMIT ${limit}) AS first
        ORDER BY id`;
      return rows.map(({ url }) => url);
    },
  };
}
