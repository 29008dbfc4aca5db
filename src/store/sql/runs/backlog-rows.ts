// SQL for the figures of the backlog. Every statement reads a small partial index or a counter.
import type { BacklogReader } from '../../ports/store.ts';
import type { Awaitable, Queries } from '../database.ts';

interface Figures {
  unfinishedJobs: number;
  oldestJobAt: number | null;
  open: number;
  running: number;
  unfinishedRuns: number;
  deliveries: number;
  nextDeliveryAt: number | null;
}

export interface Sizes {
  /** Size of all cached pages. */
  cacheBytes(): Awaitable<number>;
  /** Size of the whole database. */
  storeBytes(): Awaitable<number>;
}

export const createBacklogRows = (database: Queries, sizes: Sizes): BacklogReader => ({
  async read() {
    const [figures, cacheBytes, storeBytes] = await Promise.all([
      database.one<Figures>`
        SELECT of_jobs.*, of_calls.*,
          (SELECT count(*) FROM tasks WHERE state = 'running') AS running,
          (SELECT count(*) FROM runs WHERE status IN ('queued', 'running')) AS "unfinishedRuns"
        FROM (
          SELECT count(*) AS "unfinishedJobs", min(created_at) FILTER (WHERE paused_at IS NULL) AS "oldestJobAt",
            coalesce(sum(total - completed) FILTER (WHERE paused_at IS NULL), 0)::bigint AS open
          FROM jobs WHERE status = 'scraping') AS of_jobs
        CROSS JOIN (
          SELECT count(*) AS deliveries, min(next_at) AS "nextDeliveryAt" FROM (
            SELECT next_at FROM deliveries WHERE status = 'waiting' AND job IS NOT NULL
            UNION ALL SELECT next_at FROM deliveries WHERE status = 'waiting' AND run IS NOT NULL) AS waiting) AS of_calls`,
      sizes.cacheBytes(),
      sizes.storeBytes(),
    ]);
    const { unfinishedJobs, oldestJobAt, open, running, unfinishedRuns, deliveries, nextDeliveryAt } = figures!;
    return {
      ...{ unfinishedJobs, unfinishedRuns, deliveries, cacheBytes, storeBytes },
      ...(oldestJobAt !== null && { oldestJobAt }),
      pages: { waiting: Math.max(0, open - running), running },
      ...(nextDeliveryAt !== null && { nextDeliveryAt }),
    };
  },
});
