// SQL for work that one process at a time does.
import type { Leases } from '../../ports/leases.ts';
import type { PostgresDatabase } from '../database/database.ts';

export const createLeaseRows = ({ sql }: Pick<PostgresDatabase, 'sql'>): Leases => ({
  async hold(name, owner, leaseUntil, now) {
    const held = await sql`
      INSERT INTO leases (name, owner, lease_until) VALUES (${name}, ${owner}, ${leaseUntil})
      ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
      WHERE leases.owner = excluded.owner OR leases.lease_until <= ${now} RETURNING name`;
    return held.length > 0;
  },
});
