// SQL for teams.
import { auditTarget } from '../../../contracts/audit-target.ts';
import { uuidv7 } from '../../../util/ids.ts';
import type { Actor } from '../../audit-log.ts';
import { changedFields, readTeam, type TeamRow } from '../../records/teams/team-record.ts';
import type { Remover } from '../../sql/database.ts';
import type { Team, TeamRecord, TeamStore } from '../../team-store.ts';
import type { Base } from '../base.ts';
import type { Sql } from '../database/database.ts';
import type { AuditRows } from './audit-rows.ts';
import { createKeyRows, type KeyRows } from './key-rows.ts';

export interface TeamRows extends TeamStore, Pick<KeyRows, 'findOwner' | 'findValidIn'> {
  removeExpired: Remover;
}

interface Deps extends Pick<Base, 'database'> {
  audit: Pick<AuditRows, 'record'>;
}

export function createTeamRows({ database, audit }: Deps): TeamRows {
  const { sql: pool, transaction } = database;
  const findByName = async (sql: Sql, name: string): Promise<Team | undefined> =>
    (await sql<TeamRow[]>`SELECT id, name, settings FROM teams WHERE name = ${name}`).map(readTeam)[0];

  /** Undefined if another transaction has created the team; it has ended then. */
  const create = async (sql: Sql, name: string, now: number, settings = {}): Promise<Team | undefined> =>
    (
      await sql<TeamRow[]>`
        INSERT INTO teams (id, name, created_at, settings) VALUES (${uuidv7(now)}, ${name}, ${now}, ${JSON.stringify(settings)})
        ON CONFLICT (name) DO NOTHING RETURNING id, name, settings`
    ).map(readTeam)[0];

  const createRecorded = async (sql: Sql, name: string, settings: object, by: Actor): Promise<Team | undefined> => {
    const team = await create(sql, name, by.at, settings);
    if (team) await audit.record(sql, { ...by, teamId: team.id, action: 'team.created', target: auditTarget(name) });
    return team;
  };

  return {
    ensureTeam: async (name, now) =>
      (await findByName(pool, name)) ?? (await create(pool, name, now)) ?? (await findByName(pool, name))!,
    find: async (id) => (await pool<TeamRow[]>`SELECT id, name, settings FROM teams WHERE id = ${id}`).map(readTeam)[0],
    findByName: (name) => findByName(pool, name),
    async listTeams() {
      const rows = await pool<(TeamRow & Pick<TeamRecord, 'createdAt' | 'keys'>)[]>`
        SELECT id, name, settings, created_at AS "createdAt",
          (SELECT count(*) FROM keys WHERE team_id = teams.id) AS keys
        FROM teams ORDER BY created_at, name`;
      return rows.map(({ settings, ...team }) => ({ ...team, settings: JSON.parse(settings) }));
    },
    createTeam: (name, settings, by) => transaction((sql) => createRecorded(sql, name, settings, by)),
    changeTeam: (id, settings, by) =>
      transaction(async (sql) => {
        const [team] = (
          await sql<TeamRow[]>`SELECT id, name, settings FROM teams WHERE id = ${id} FOR NO KEY UPDATE`
        ).map(readTeam);
        if (!team) return undefined;
        await sql`UPDATE teams SET settings = ${JSON.stringify(settings)} WHERE id = ${id}`;
        const fields = changedFields(team.settings ?? {}, settings);
        await audit.record(sql, {
          ...by,
          teamId: id,
          action: 'team.changed',
          target: auditTarget(team.name),
          details: { fields },
        });
        return { ...team, settings };
      }),
    ...createKeyRows({
      database,
      audit,
      ensureTeam: async (sql, name, by) =>
        (await findByName(sql, name)) ?? (await createRecorded(sql, name, {}, by)) ?? (await findByName(sql, name))!,
    }),
  };
}
