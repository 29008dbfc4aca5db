// Teams.
import { auditTarget } from '../../../contracts/team/audit-target.ts';
import type { TeamSettings } from '../../../contracts/team/policy.ts';
import { uuidv7 } from '../../../util/ids.ts';
import type { Actor } from '../../ports/teams/audit-log.ts';
import type { Team, TeamRecord, TeamStore } from '../../ports/teams/team-store.ts';
import { type Database, type Fragment, type Queries, sql, type Tx } from '../database.ts';
import type { SqlAuditLog } from './audit-log.ts';
import { createKeys, type Keys } from './keys.ts';
import { changedFields, readTeam, type TeamRow } from './team-record.ts';

export interface SqlTeams extends TeamStore, Keys {}

export function createTeams(database: Database, audit: Pick<SqlAuditLog, 'record'>): SqlTeams {
  const createRecorded = async (tx: Tx, name: string, settings: TeamSettings, by: Actor): Promise<Team | undefined> => {
    const team = await create(tx, name, by.at, settings);
    if (team) await audit.record(tx, { ...by, teamId: team.id, action: 'team.created', target: auditTarget(name) });
    return team;
  };
  return {
    ensureTeam: async (name, now) =>
      (await findByName(database, name)) ??
      (await create(database, name, now, {})) ??
      (await findByName(database, name))!,
    find: (id) => find(database, sql`id = ${id}`),
    findByName: (name) => findByName(database, name),
    async listTeams() {
      const rows = await database.rows<TeamRow & Pick<TeamRecord, 'createdAt' | 'keys'>>`
        SELECT id, name, settings, created_at AS "createdAt",
          (SELECT count(*) FROM keys WHERE team_id = teams.id) AS keys
        FROM teams ORDER BY created_at, name`;
      return rows.map(({ settings, ...team }) => ({ ...team, settings: JSON.parse(settings) }));
    },
    createTeam: (...call) => database.transaction((tx) => createRecorded(tx, ...call)),
    changeTeam: (id, settings, by) =>
      database.transaction(async (tx) => {
        const team = await find(tx, sql`id = ${id} FOR NO KEY UPDATE`);
        if (!team) return undefined;
        await tx.run`UPDATE teams SET settings = ${JSON.stringify(settings)} WHERE id = ${id}`;
        await audit.record(tx, {
          ...{ ...by, teamId: id, action: 'team.changed', target: auditTarget(team.name) },
          details: { fields: changedFields(team.settings ?? {}, settings) },
        });
        return { ...team, settings };
      }),
    ...createKeys({
      ...{ database, audit },
      ensureTeam: async (tx, name, by) =>
        (await findByName(tx, name)) ?? (await createRecorded(tx, name, {}, by)) ?? (await findByName(tx, name))!,
    }),
  };
}

async function find(queries: Queries, condition: Fragment): Promise<Team | undefined> {
  const row = await queries.one<TeamRow>`SELECT id, name, settings FROM teams WHERE ${condition}`;
  return row && readTeam(row);
}

const findByName = (queries: Queries, name: string) => find(queries, sql`name = ${name}`);

/** Undefined if another transaction has created the team; it has ended then. */
async function create(queries: Queries, name: string, now: number, settings: TeamSettings): Promise<Team | undefined> {
  const row = await queries.one<TeamRow>`
    INSERT INTO teams (id, name, created_at, settings) VALUES (${uuidv7(now)}, ${name}, ${now}, ${JSON.stringify(settings)})
    ON CONFLICT (name) DO NOTHING RETURNING id, name, settings`;
  return row && readTeam(row);
}
