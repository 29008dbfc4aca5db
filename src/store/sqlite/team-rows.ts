// SQL for teams and keys.
import { uuidv7 } from '../../util/ids.ts';
import type { Connection } from '../../util/sqlite.ts';
import type { KeyOwner, KeyRecord, Team, TeamRecord, TeamStore } from '../team-store.ts';
import type { Served } from './served.ts';

const KEY_USE_RESOLUTION_MS = 60_000;

export interface TeamRows extends Served<TeamStore> {
  removeExpired(now: number, limit: number): number;
}

export function createTeamRows(connection: Connection): TeamRows {
  const sql = prepareAll(connection);

  const ensureTeam = (name: string, now: number): Team => {
    const known = sql.teamByName.get(name);
    if (known) return readTeam(known);
    sql.addTeam.run(uuidv7(now), name, now);
    return readTeam(sql.teamByName.get(name)!);
  };
  const findKey = (id: string, teamId: string) => {
    const row = sql.keyById.get(id, teamId);
    return row && readKey(row);
  };

  return {
    ensureTeam: (name, now) => connection.transaction(() => ensureTeam(name, now)),
    find(id) {
      const row = sql.teamById.get(id);
      return row && readTeam(row);
    },
    findByName(name) {
      const row = sql.teamByName.get(name);
      return row && readTeam(row);
    },
    listTeams: () =>
      sql.allTeams.all().map(({ settings, ...team }): TeamRecord => ({ ...team, settings: JSON.parse(settings) })),
    changeTeam(id, settings) {
      sql.changeTeam.run(JSON.stringify(settings), id);
      const row = sql.teamById.get(id);
      return row && readTeam(row);
    },
    addKey({ hash, prefix, team, label = null, limits = {}, expiresAt = null, now }) {
      return connection.transaction(() => {
        const { id: teamId } = ensureTeam(team, now);
        const id = uuidv7(now);
        sql.addKey.run(hash, id, prefix, teamId, label, JSON.stringify(limits), now, expiresAt);
        return { id, prefix, team, label, limits, createdAt: now, lastUsedAt: null, expiresAt };
      });
    },
    listKeys: (teamId) => (teamId === undefined ? sql.allKeys.all() : sql.keysOfTeam.all(teamId)).map(readKey),
    listKeyHashes: () => sql.allHashes.all().map(({ hash }) => hash),
    changeKey(id, teamId, change) {
      return connection.transaction(() => {
        const key = findKey(id, teamId);
        if (!key) return undefined;
        const changed = { ...key, ...change };
        sql.changeKey.run(changed.label, JSON.stringify(changed.limits), changed.expiresAt, id);
        return changed;
      });
    },
    removeKey(id, teamId) {
      return connection.transaction(() => {
        const key = findKey(id, teamId);
        if (key) sql.removeKey.run(id);
        return key;
      });
    },
    revokeKeys(prefix) {
      if (prefix === '') return [];
      return connection.transaction(() => {
        const found = sql.keysWithPrefix.all(prefix).map(readKey);
        if (found.length === 1) sql.removeKey.run(found[0]!.id);
        return found;
      });
    },
    findByKey(hash, now) {
      const found = sql.ownerOfKey.get(hash, now);
      if (!found) return undefined;
      if (now - (found.lastUsedAt ?? 0) >= KEY_USE_RESOLUTION_MS)
        connection.attempt(() => sql.noteKeyUse.run(now, hash));
      return readOwner(found);
    },
    removeExpired: (now, limit) => Number(sql.removeExpired.run(now, limit).changes),
  };
}

type TeamRow = Pick<Team, 'id' | 'name'> & { settings: string };
type KeyRow = Omit<KeyRecord, 'limits'> & { limits: string };
type OwnerRow = TeamRow & Pick<KeyRow, 'prefix' | 'limits' | 'lastUsedAt'> & { keyId: string };

const readTeam = ({ id, name, settings }: TeamRow): Team => ({ id, name, settings: JSON.parse(settings) });
const readKey = ({ limits, ...key }: KeyRow): KeyRecord => ({ ...key, limits: JSON.parse(limits) });
const readOwner = ({ prefix, keyId, limits, ...team }: OwnerRow): KeyOwner => ({
  team: readTeam(team),
  key: prefix,
  keyId,
  limits: JSON.parse(limits),
});

const TEAM = 'SELECT id, name, settings FROM teams';
const KEYS = `SELECT keys.id, prefix, teams.name AS team, label, limits, keys.created_at AS createdAt,
    last_used_at AS lastUsedAt, expires_at AS expiresAt
  FROM keys JOIN teams ON teams.id = team_id`;
const OLDEST_FIRST = 'ORDER BY keys.created_at, prefix';

const prepareAll = (connection: Connection) => ({
  addTeam: connection.prepare(
    'INSERT INTO teams (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING',
  ),
  teamByName: connection.prepare<TeamRow>(`${TEAM} WHERE name = ?`),
  teamById: connection.prepare<TeamRow>(`${TEAM} WHERE id = ?`),
  allTeams: connection.prepare<TeamRow & Pick<TeamRecord, 'createdAt' | 'keys'>>(
    `SELECT id, name, settings, created_at AS createdAt, (SELECT count(*) FROM keys WHERE team_id = teams.id) AS keys
     FROM teams ORDER BY created_at, name`,
  ),
  changeTeam: connection.prepare('UPDATE teams SET settings = ? WHERE id = ?'),
  addKey: connection.prepare(
    'INSERT INTO keys (hash, id, prefix, team_id, label, limits, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  ),
  allKeys: connection.prepare<KeyRow>(`${KEYS} ${OLDEST_FIRST}`),
  keysOfTeam: connection.prepare<KeyRow>(`${KEYS} WHERE team_id = ? ${OLDEST_FIRST}`),
  keyById: connection.prepare<KeyRow>(`${KEYS} WHERE keys.id = ? AND team_id = ?`),
  keysWithPrefix: connection.prepare<KeyRow>(`${KEYS} WHERE substr(prefix, 1, length(?1)) = ?1 ${OLDEST_FIRST}`),
  allHashes: connection.prepare<{ hash: string }>('SELECT hash FROM keys'),
  changeKey: connection.prepare('UPDATE keys SET label = ?, limits = ?, expires_at = ? WHERE id = ?'),
  removeKey: connection.prepare('DELETE FROM keys WHERE id = ?'),
  ownerOfKey: connection.prepare<OwnerRow>(
    `SELECT teams.id, name, settings, keys.id AS keyId, prefix, limits, last_used_at AS lastUsedAt
     FROM keys JOIN teams ON teams.id = team_id WHERE hash = ? AND (expires_at IS NULL OR expires_at > ?)`,
  ),
  noteKeyUse: connection.prepare('UPDATE keys SET last_used_at = ? WHERE hash = ?'),
  removeExpired: connection.prepare(
    'DELETE FROM keys WHERE hash IN (SELECT hash FROM keys WHERE expires_at <= ? LIMIT ?)',
  ),
});
