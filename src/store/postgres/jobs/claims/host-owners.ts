// Which process owns which host: the one that sends requests to it. Only its politeness knows what the host can bear.
import type { HostOwnership } from '../../../ports/jobs/job-queue.ts';
import type { Remover } from '../../../sql/database.ts';
import { indexed } from '../../../sql/indexed-text.ts';
import type { PostgresDatabase, Sql } from '../../database/database.ts';

/** What was remembered of a host that nobody asked since is of no use any more. */
const MEMORY_MS = 3_600_000;

export interface HostLease {
  leaseUntil: number;
  now: number;
}

export interface HostOwners extends HostOwnership {
  /** Identifies this process. */
  readonly process: string;
  /**
   * Takes hosts that are free, inside the transaction that claims their tasks. Returns those that this process owns now, and what
   * is remembered of those that it did not own before.
   */
  take(sql: Sql, hosts: string[], lease: HostLease): Promise<{ owned: Set<string>; memories: Record<string, string> }>;
  /** What the other owners of these hosts have noted of them last. */
  memoriesOfOthers(hosts: string[]): Promise<Map<string, string>>;
  removeOld: Remover;
}

export function createHostOwners({ sql: pool, transaction }: PostgresDatabase, process: string): HostOwners {
  const hostsOf = (memories: Record<string, string>) => Object.keys(memories).map(indexed);

  /** In the same order everywhere, so that two processes cannot wait for each other. */
  const lockOwn = (sql: Sql, hosts: string[]) => sql`
    SELECT 1 FROM host_owners WHERE host = ANY(${hosts}::text[]) AND owner = ${process} ORDER BY host FOR UPDATE`;

  return {
    process,
    async take(sql, hosts, { leaseUntil, now }) {
      if (hosts.length === 0) return { owned: new Set(), memories: {} };
      const [before, rows] = await Promise.all([
        sql<{ host: string; owner: string | null }[]>`
          SELECT host, owner FROM host_owners WHERE host = ANY(${hosts}::text[]) ORDER BY host FOR UPDATE`,
        sql<{ host: string; memory: string }[]>`
          INSERT INTO host_owners AS held (host, owner, lease_until, memory)
          SELECT host, ${process}, ${leaseUntil}::bigint, '' FROM unnest(${hosts}::text[]) AS host ORDER BY host COLLATE "C"
          ON CONFLICT (host) DO UPDATE
            SET owner = excluded.owner, lease_until = greatest(excluded.lease_until,
              CASE WHEN held.owner = excluded.owner THEN held.lease_until ELSE 0 END)
            WHERE held.owner IS NULL OR held.owner = excluded.owner OR held.lease_until <= ${now}
          RETURNING host, memory`,
      ]);
      const mine = new Set(before.filter(({ owner }) => owner === process).map(({ host }) => host));
      const remembered = rows.filter(({ host, memory }) => !mine.has(host) && memory !== '');
      return {
        owned: new Set(rows.map(({ host }) => host)),
        memories: Object.fromEntries(remembered.map(({ host, memory }) => [host, memory])),
      };
    },
    async keepHosts(memories, leaseUntil) {
      const hosts = hostsOf(memories);
      if (hosts.length === 0) return [];
      const kept = await transaction(async (sql) => {
        await lockOwn(sql, hosts);
        return sql<{ host: string }[]>`
          UPDATE host_owners SET lease_until = greatest(lease_until, ${leaseUntil}), memory = given.memory
          FROM unnest(${hosts}::text[], ${Object.values(memories)}::text[]) AS given (host, memory)
          WHERE host_owners.host = given.host COLLATE "C" AND owner = ${process}
          RETURNING host_owners.host`;
      });
      const own = new Set(kept.map(({ host }) => host));
      return Object.keys(memories).filter((host) => !own.has(indexed(host)));
    },
    async leaveHosts(memories, now) {
      const hosts = hostsOf(memories);
      if (hosts.length === 0) return;
      await transaction(async (sql) => {
        await lockOwn(sql, hosts);
        // A claim may have taken tasks of the host at this moment. They are seen here, since it has held the same lock.
        await sql`
          UPDATE host_owners SET owner = NULL, lease_until = ${now}, memory = given.memory
          FROM unnest(${hosts}::text[], ${Object.values(memories)}::text[]) AS given (host, memory)
          WHERE host_owners.host = given.host COLLATE "C" AND owner = ${process}
            AND host_owners.host NOT IN (SELECT host FROM tasks WHERE state = 'running' AND tasks.lease_until > ${now})`;
      });
    },
    async memoriesOfOthers(hosts) {
      const rows = await pool<{ host: string; memory: string }[]>`
        SELECT host, memory FROM host_owners
        WHERE host = ANY(${hosts.map(indexed)}::text[]) AND owner <> ${process} AND memory <> ''`;
      const found = new Map(rows.map(({ host, memory }) => [host, memory]));
      return new Map(hosts.filter((host) => found.has(indexed(host))).map((host) => [host, found.get(indexed(host))!]));
    },
    async removeOld(now, limit) {
      const { count } = await pool`
        DELETE FROM host_owners WHERE host IN (
          SELECT host FROM host_owners WHERE lease_until <= ${now - MEMORY_MS} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
      return count;
    },
  };
}
