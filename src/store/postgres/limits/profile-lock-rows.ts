// SQL for the locks of browser profiles.
import type { SharedProfileLocks } from '../../ports/limits/profile-locks.ts';
import type { Base } from '../base.ts';
import { isAlive, ofKnownProcess } from './live-processes.ts';

export function createProfileLockRows({ database }: Pick<Base, 'database'>): SharedProfileLocks {
  const { sql } = database;
  return {
    take: async ({ holder, processId, teamId, name }, now) =>
      (
        await ofKnownProcess(sql`
          INSERT INTO profile_locks AS held (team_id, name, holder, process_id)
          VALUES (${teamId}, ${name}, ${holder}, ${processId})
          ON CONFLICT (team_id, name) DO UPDATE SET holder = excluded.holder, process_id = excluded.process_id
          WHERE NOT ${isAlive(sql, sql`held.process_id`, now)}`)
      ).count === 1,
    isHeld: async (holder, now) =>
      (await sql`SELECT 1 FROM profile_locks WHERE holder = ${holder} AND ${isAlive(sql, sql`process_id`, now)}`)
        .length === 1,
    release: async (holder) => void (await sql`DELETE FROM profile_locks WHERE holder = ${holder}`),
  };
}
