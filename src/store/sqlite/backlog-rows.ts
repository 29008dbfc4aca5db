// SQL for the figures of the backlog. Every statement reads a small partial index or a counter.
import type { Connection } from '../../util/sqlite.ts';
import type { BacklogReader } from '../store.ts';
import type { Served } from './served.ts';

export function createBacklogRows(connection: Connection, cacheBytes: () => number): Served<BacklogReader> {
  const jobs = connection.prepare<{ count: number; oldest: number | null; open: number }>(
    `SELECT count(*) AS count, min(created_at) FILTER (WHERE paused_at IS NULL) AS oldest,
       coalesce(sum(total - completed) FILTER (WHERE paused_at IS NULL), 0) AS open
     FROM jobs WHERE status = 'scraping'`,
  );
  const running = connection.prepare<{ count: number }>(`SELECT count(*) AS count FROM tasks WHERE state = 'running'`);
  const runs = connection.prepare<{ count: number }>(
    `SELECT count(*) AS count FROM runs WHERE status IN ('queued', 'running')`,
  );
  const deliveries = connection.prepare<{ count: number; next: number | null }>(
    `SELECT count(*) AS count, min(next_at) AS next FROM (
       SELECT next_at FROM deliveries WHERE status = 'waiting' AND job IS NOT NULL
       UNION ALL SELECT next_at FROM deliveries WHERE status = 'waiting' AND run IS NOT NULL)`,
  );
  const size = connection.prepare<{ bytes: number }>(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  );
  return {
    read() {
      const { count: unfinishedJobs, oldest, open } = jobs.get()!;
      const { count: active } = running.get()!;
      const { count: waitingDeliveries, next } = deliveries.get()!;
      return {
        unfinishedJobs,
        ...(oldest !== null && { oldestJobAt: oldest }),
        pages: { waiting: Math.max(0, open - active), running: active },
        unfinishedRuns: runs.get()!.count,
        deliveries: waitingDeliveries,
        ...(next !== null && { nextDeliveryAt: next }),
        cacheBytes: cacheBytes(),
        storeBytes: size.get()!.bytes,
      };
    },
  };
}
