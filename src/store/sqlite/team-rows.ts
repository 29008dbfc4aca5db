// SQL for teams and keys.
import { uuidv7 } from '../../util/ids.ts';
import type { Connection } from '../../util/sqlite.ts';
import type { KeyRecord, Team, TeamStore } from '../team-store.ts';
import type { Served } from './served.ts';

const KEY_USE_RESOLUTION_MS = 60_000;

export function createTeamRows(connection: Connection): Served<TeamStore> {
  const addTeam = connection.prepare(
    'INSERT INTO teams (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING',
  );
  const teamByName = connection.prepare<Team>('SELECT id, name FROM teams WHERE name = ?');
  const teamById = connection.prepare<Team>('SELECT id, name FROM teams WHERE id = ?');
  const addKey = connection.prepare('INSERT INTO keys (hash, prefix, team_id, created_at) VALUES (?, ?, ?, ?)');
  const allKeys = connection.prepare<KeyRecord>(
    `SELECT prefix, teams.name AS team, keys.created_at AS createdAt, last_used_at AS lastUsedAt
     FROM keys JOIN teams ON teams.id = team_id ORDER BY keys.created_at, prefix`,
  );
  const allHashes = connection.prepare<{ hash: string }>('SELECT hash FROM keys');
  const keysWithPrefix = connection.prepare<KeyRecord & { hash: string }>(
    `SELECT hash, prefix, teams.name AS team, keys.created_at AS createdAt, last_used_at AS lastUsedAt
     FROM keys JOIN teams ON teams.id = team_id WHERE substr(prefix, 1, length(?1)) = ?1 ORDER BY keys.created_at, prefix`,
  );
  const removeKey = connection.prepare('DELETE FROM keys WHERE hash = ?');
  const teamByKey = connection.prepare<Team & Pick<KeyRecord, 'prefix' | 'lastUsedAt'>>(
    `SELECT teams.id, name, prefix, last_used_at AS lastUsedAt FROM keys JOIN teams ON teams.id = team_id WHERE hash = ?`,
  );
  const noteKeyUse = connection.prepare('UPDATE keys SET last_used_at = ? WHERE hash = ?');

  const ensureTeam = (name: string, now: number): Team => {
    const known = teamByName.get(name);
    if (known) return { ...known };
    addTeam.run(uuidv7(now), name, now);
    return { ...teamByName.get(name)! };
  };

  return {
    ensureTeam,
    find(id) {
      const team = teamById.get(id);
      return team && { ...team };
    },
    addKey({ hash, prefix, team, now }) {
      return connection.transaction(() => {
        addKey.run(hash, prefix, ensureTeam(team, now).id, now);
        return { prefix, team, createdAt: now, lastUsedAt: null };
      });
    },
    listKeys: () => allKeys.all(),
    listKeyHashes: () => allHashes.all().map(({ hash }) => hash),
    revokeKeys(prefix) {
      if (prefix === '') return [];
      return connection.transaction(() => {
        const found = keysWithPrefix.all(prefix);
        if (found.length === 1) removeKey.run(found[0]!.hash);
        return found.map(({ hash: _, ...key }) => key);
      });
    },
    findByKey(hash, now) {
      const found = teamByKey.get(hash);
      if (!found) return undefined;
      if (now - (found.lastUsedAt ?? 0) >= KEY_USE_RESOLUTION_MS) connection.attempt(() => noteKeyUse.run(now, hash));
      return { team: { id: found.id, name: found.name }, key: found.prefix };
    },
  };
}
