// Removes expired jobs, and tasks that will never run, in small rounds: a job may have a million tasks.
import type { Connection } from '../../../util/sqlite.ts';
import type { Database, Remover, Tx } from '../../sql/database.ts';
import type { ScrapeRows } from '../../sql/pages/scrape-rows.ts';

export interface JobRemoval {
  removeExpired: Remover;
  /** Tasks that were still open when their job ended. */
  removeLeftovers: Remover;
}

interface JobRemovalDeps {
  connection: Connection;
  database: Database;
  scrapes: Pick<ScrapeRows, 'removeOfJob'>;
}

export function createJobRemoval({ connection, database, scrapes }: JobRemovalDeps): JobRemoval {
  const sql = prepareAll(connection);

  /** Removes what refers to a job first, one kind at a time, and the job itself last. */
  const removeSome = async (tx: Tx, job: number, limit: number): Promise<number> => {
    const steps = [
      () => sql.removeDeliveries.run(job, limit).changes,
      () => scrapes.removeOfJob(tx, job, limit),
      () => sql.removeTasks.run(job, limit).changes,
      () => sql.removePatterns.run(job, limit).changes,
      () => Number(sql.removeRequest.run(job).changes) + Number(sql.removeJob.run(job).changes),
    ];
    for (const step of steps) {
      const removed = Number(await step());
      if (removed > 0) return removed;
    }
    return 0;
  };

  return {
    removeExpired(now, limit) {
      const expired = sql.expired.get(now);
      return expired ? database.transaction((tx) => removeSome(tx, expired.job, limit)) : 0;
    },
    removeLeftovers(_now, limit) {
      const found = sql.withLeftovers.get();
      if (!found) return 0;
      return connection.transaction(() => {
        const removed = sql.removeLeftovers.all(found.job, limit);
        const count = (wanted: string) => removed.filter(({ state }) => state === wanted).length;
        sql.noteLeftovers.run(count('spare'), count('known'), removed.length < limit ? 0 : 1, found.job);
        return removed.length;
      });
    },
  };
}

const prepareAll = (connection: Connection) => ({
  expired: connection.prepare<{ job: number }>(
    `SELECT number AS job FROM jobs WHERE status <> 'scraping' AND expires_at <= ? ORDER BY expires_at LIMIT 1`,
  ),
  removeDeliveries: connection.prepare(
    `DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE job = ? AND status = 'waiting' LIMIT ?)`,
  ),
  removeTasks: connection.prepare('DELETE FROM tasks WHERE id IN (SELECT id FROM tasks WHERE job = ? LIMIT ?)'),
  removePatterns: connection.prepare(
    `DELETE FROM job_patterns WHERE (job, pattern) IN (SELECT job, pattern FROM job_patterns WHERE job = ? LIMIT ?)`,
  ),
  removeRequest: connection.prepare('DELETE FROM job_requests WHERE job = ?'),
  removeJob: connection.prepare('DELETE FROM jobs WHERE number = ?'),
  withLeftovers: connection.prepare<{ job: number }>(
    `SELECT number AS job FROM jobs WHERE has_leftovers = 1 AND status <> 'scraping' LIMIT 1`,
  ),
  removeLeftovers: connection.prepare<{ state: string }>(
    `DELETE FROM tasks WHERE id IN (
       SELECT id FROM tasks WHERE job = ?1 AND state = 'waiting'
       UNION ALL SELECT id FROM tasks WHERE job = ?1 AND state = 'running'
       UNION ALL SELECT id FROM tasks WHERE job = ?1 AND state = 'paused'
       UNION ALL SELECT id FROM tasks WHERE job = ?1 AND state = 'spare'
       UNION ALL SELECT id FROM tasks WHERE job = ?1 AND state = 'known' LIMIT ?2)
     RETURNING state`,
  ),
  noteLeftovers: connection.prepare(
    'UPDATE jobs SET spares = spares - ?, known = known - ?, has_leftovers = ? WHERE number = ?',
  ),
});
