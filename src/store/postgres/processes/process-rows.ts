// SQL for the processes that share this database.
import { DEAD_AFTER_MS, type ProcessRegistry, type ProcessRow } from '../../ports/process-registry.ts';
import type { PostgresDatabase } from '../database/database.ts';

/** Rows of dead processes stay for a while, in case one was only held up. */
const REMOVED_AFTER_MS = 3 * DEAD_AFTER_MS;

export function createProcessRows({ sql }: Pick<PostgresDatabase, 'sql'>): ProcessRegistry {
  return {
    async renew(process, now) {
      const { id, name, role, url, proof, version, protocol, startedAt } = process;
      const { hasBrowser, freePages, freeSessions, maxConcurrency } = process;
      // The sessions of a process that came back late were given up: it enters them again.
      const [row] = await sql<{ isNew: boolean }[]>`
        WITH removed AS (DELETE FROM processes WHERE seen_at < ${now - REMOVED_AFTER_MS} AND id <> ${id})
        INSERT INTO processes (id, name, role, url, proof, version, protocol, has_browser, free_pages, free_sessions,
          max_concurrency, started_at, seen_at)
        VALUES (${id}, ${name}, ${role}, ${url}, ${proof}, ${version}, ${protocol}, ${hasBrowser}, ${freePages},
          ${freeSessions}, ${maxConcurrency}, ${startedAt}, ${now})
        ON CONFLICT (id) DO UPDATE SET free_pages = excluded.free_pages, free_sessions = excluded.free_sessions,
          has_browser = excluded.has_browser, url = excluded.url, proof = excluded.proof, seen_at = excluded.seen_at
        RETURNING xmax = 0 AS "isNew"`;
      return row!.isNew;
    },
    list: async (now) => [
      ...(await sql<ProcessRow[]>`
        SELECT id, name, role, url, proof, version, protocol, has_browser AS "hasBrowser", free_pages AS "freePages",
          free_sessions AS "freeSessions", max_concurrency AS "maxConcurrency", started_at AS "startedAt", seen_at AS "seenAt"
        FROM processes WHERE seen_at > ${now - DEAD_AFTER_MS} ORDER BY started_at, id`),
    ],
    async time() {
      const [row] = await sql<{ ms: number }[]>`
        SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms`;
      return row!.ms;
    },
    async leave(id) {
      await sql`DELETE FROM processes WHERE id = ${id}`;
    },
  };
}
