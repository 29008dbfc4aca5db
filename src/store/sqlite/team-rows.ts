// SQL for teams.
import { auditTarget } from '../../contracts/audit-target.ts';
import { uuidv7 } from '../../util/ids.ts';
import type { Connection } from '../../util/sqlite.ts';
import { changedFields, readTeam, type TeamRow } from '../records/teams/team-record.ts';
import type { Team, TeamRecord, TeamStore } from '../team-store.ts';
import type { AuditRows } from './audit-rows.ts';
import { createKeyRows, type KeyRows } from './key-rows.ts';
import type { Served } from './served.ts';

export interface TeamRows extends Served<TeamStore> {
  removeExpired: KeyRows['removeExpired'];
}

interface Deps {
  connection: Connection;
  audit: Pick<AuditRows, 'record'>;
}

export function createTeamRows({ connection, audit }: Deps): TeamRows {
  const sql = prepareAll(connection);
  const findByName = (name: string): Team | undefined => {
    const row = sql.teamByName.get(name);
    return row && readTeam(row);
  };
  const find = (id: string): Team | undefined => {
    const row = sql.teamById.get(id);
    return row && readTeam(row);
  };
  const create = (name: string, now: number, settings = {}): Team => {
    sql.addTeam.run(uuidv7(now), name, now, JSON.stringify(settings));
    return findByName(name)!;
  };
  const createRecorded: Served<TeamStore>['createTeam'] = (name, settings, by) => {
    if (findByName(name)) return undefined;
    const team = create(name, by.at, settings);
    audit.record({ ...by, teamId: team.id, action: 'team.created', target: auditTarget(name) });
    return team;
  };

  return {
    ensureTeam: (name, now) => connection.transaction(() => findByName(name) ?? create(name, now)),
    find,
    findByName,
    listTeams: () =>
      sql.allTeams.all().map(({ settings, ...team }): TeamRecord => ({ ...team, settings: JSON.parse(settings) })),
    createTeam: (...call) => connection.transaction(() => createRecorded(...call)),
    changeTeam: (id, settings, by) =>
      connection.transaction(() => {
        const team = find(id);
        if (!team) return undefined;
        sql.changeTeam.run(JSON.stringify(settings), id);
        const fields = changedFields(team.settings ?? {}, settings);
        audit.record({
          ...by,
          teamId: id,
          action: 'team.changed',
          target: auditTarget(team.name),
          details: { fields },
        });
        return { ...team, settings };
      }),
    ...createKeyRows({
      connection,
      audit,
      ensureTeam: (name, by) => findByName(name) ?? createRecorded(name, {}, by)!,
    }),
  };
}

const TEAM = 'SELECT id, name, settings FROM teams';

const prepareAll = (connection: Connection) => ({
  addTeam: connection.prepare('INSERT INTO teams (id, name, created_at, settings) VALUES (?, ?, ?, ?)'),
  teamByName: connection.prepare<TeamRow>(`${TEAM} WHERE name = ?`),
  teamById: connection.prepare<TeamRow>(`${TEAM} WHERE id = ?`),
  allTeams: connection.prepare<TeamRow & Pick<TeamRecord, 'createdAt' | 'keys'>>(
    `SELECT id, name, settings, created_at AS createdAt, (SELECT count(*) FROM keys WHERE team_id = teams.id) AS keys
     FROM teams ORDER BY created_at, name`,
  ),
  changeTeam: connection.prepare('UPDATE teams SET settings = ? WHERE id = ?'),
});
