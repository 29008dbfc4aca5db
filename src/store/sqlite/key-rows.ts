// SQL for API keys.

import type { AuditAction } from '../../contracts/audit.ts';
import { auditTarget } from '../../contracts/audit-target.ts';
import { isUnrestrictedKey } from '../../contracts/unrestricted-key.ts';
import { uuidv7 } from '../../util/ids.ts';
import type { Connection } from '../../util/sqlite.ts';
import type { Actor, AuditDetails } from '../audit-log.ts';
import {
  KEY_USE_RESOLUTION_MS,
  type KeyRow,
  NO_LIMITS,
  type OwnerRow,
  readKey,
  readOwner,
  writeLimits,
} from '../records/teams/team-record.ts';
import type { KeyName, KeyRecord, NewKey, Team, TeamStore } from '../team-store.ts';
import type { AuditRows } from './audit-rows.ts';
import type { Served } from './served.ts';

type KeyCalls =
  | 'addKey'
  | 'addFirstKey'
  | 'listKeys'
  | 'listKeyHashes'
  | 'changeKey'
  | 'rotateKey'
  | 'removeKey'
  | 'findByKey'
  | 'findValid';

export interface KeyRows extends Served<Pick<TeamStore, KeyCalls>> {
  removeExpired(now: number, limit: number): number;
}

interface Deps {
  connection: Connection;
  audit: Pick<AuditRows, 'record'>;
  /** Call inside a transaction. */
  ensureTeam(name: string, by: Actor): Team;
}

export function createKeyRows({ connection, audit, ensureTeam }: Deps): KeyRows {
  const sql = prepareAll(connection);
  const findKey = ({ id, teamId }: KeyName) => {
    const row = sql.keyById.get(id, teamId);
    return row && readKey(row);
  };
  const record = ({ teamId, prefix }: KeyRecord, action: AuditAction, by: Actor, details?: AuditDetails) =>
    audit.record({ ...by, teamId, action, target: auditTarget(prefix), ...(details && { details }) });
  const isLast = ({ id, teamId, unlessLast }: KeyName, { limits, expiresAt }: KeyRecord): boolean =>
    unlessLast === true && isUnrestrictedKey(limits, expiresAt) && !sql.otherUnrestricted.get(teamId, id);

  const add = ({ hash, prefix, team, label = null, limits = {}, expiresAt = null }: NewKey, by: Actor) => {
    const { id: teamId } = ensureTeam(team, by);
    const id = uuidv7(by.at);
    sql.addKey.run(hash, id, prefix, teamId, label, writeLimits(limits), by.at, expiresAt);
    const key = findKey({ id, teamId })!;
    record(key, 'key.created', by, {
      ...(label !== null && { label }),
      restricted: !isUnrestrictedKey(limits, expiresAt),
    });
    return key;
  };

  return {
    addKey: (key, by) => connection.transaction(() => add(key, by)),
    addFirstKey: (key, by) => connection.transaction(() => (sql.allKeys.all().length > 0 ? undefined : add(key, by))),
    listKeys: (teamId) => (teamId === undefined ? sql.allKeys.all() : sql.keysOfTeam.all(teamId)).map(readKey),
    listKeyHashes: () => sql.allHashes.all().map(({ hash }) => hash),
    changeKey: (name, change, by) =>
      connection.transaction(() => {
        const key = findKey(name);
        if (!key) return undefined;
        const changed = { ...key, ...change };
        if (!isUnrestrictedKey(changed.limits, changed.expiresAt) && isLast(name, key)) return 'last';
        sql.changeKey.run(changed.label, writeLimits(changed.limits), changed.expiresAt, name.id);
        record(key, 'key.changed', by, { fields: Object.keys(change).join(', ') });
        return findKey(name);
      }),
    rotateKey: (name, { hash, previousUntil }, by) =>
      connection.transaction(() => {
        if (!findKey(name)) return undefined;
        sql.rotateKey.run(hash, previousUntil, name.id);
        const key = findKey(name)!;
        record(key, 'key.rotated', by, { graceSeconds: Math.max(0, Math.round((previousUntil - by.at) / 1000)) });
        return key;
      }),
    removeKey: (name, by) =>
      connection.transaction(() => {
        const key = findKey(name);
        if (!key) return undefined;
        if (isLast(name, key)) return 'last';
        sql.removeKey.run(name.id);
        record(key, 'key.revoked', by, key.label === null ? undefined : { label: key.label });
        return key;
      }),
    findByKey(hash, now) {
      const found = sql.ownerOfKey.get(hash, now);
      if (!found) return undefined;
      const { lastUsedAt, ...owner } = found;
      if (now - (lastUsedAt ?? 0) >= KEY_USE_RESOLUTION_MS)
        connection.attempt(() => sql.noteKeyUse.run(now, owner.keyId));
      return readOwner(owner);
    },
    findValid: (hashes, now) => hashes.filter((hash) => sql.ownerOfKey.get(hash, now) !== undefined),
    removeExpired: (now, limit) => Number(sql.removeExpired.run(now, limit).changes),
  };
}

const KEYS = `SELECT keys.id, prefix, team_id AS teamId, teams.name AS team, label, limits, keys.created_at AS createdAt,
    last_used_at AS lastUsedAt, expires_at AS expiresAt, previous_until AS previousUntil
  FROM keys JOIN teams ON teams.id = team_id`;
const OLDEST_FIRST = 'ORDER BY keys.created_at, prefix';

const prepareAll = (connection: Connection) => ({
  addKey: connection.prepare(
    'INSERT INTO keys (hash, id, prefix, team_id, label, limits, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  ),
  allKeys: connection.prepare<KeyRow>(`${KEYS} ${OLDEST_FIRST}`),
  keysOfTeam: connection.prepare<KeyRow>(`${KEYS} WHERE team_id = ? ${OLDEST_FIRST}`),
  keyById: connection.prepare<KeyRow>(`${KEYS} WHERE keys.id = ? AND team_id = ?`),
  otherUnrestricted: connection.prepare<{ id: string }>(
    `SELECT id FROM keys WHERE team_id = ? AND id <> ? AND limits = '${NO_LIMITS}' AND expires_at IS NULL LIMIT 1`,
  ),
  allHashes: connection.prepare<{ hash: string }>(
    'SELECT hash FROM keys UNION ALL SELECT previous_hash FROM keys WHERE previous_hash IS NOT NULL',
  ),
  changeKey: connection.prepare('UPDATE keys SET label = ?, limits = ?, expires_at = ? WHERE id = ?'),
  rotateKey: connection.prepare('UPDATE keys SET previous_hash = hash, hash = ?, previous_until = ? WHERE id = ?'),
  removeKey: connection.prepare('DELETE FROM keys WHERE id = ?'),
  ownerOfKey: connection.prepare<OwnerRow & Pick<KeyRecord, 'lastUsedAt'>>(
    `SELECT teams.id, name, settings, keys.id AS keyId, prefix AS key, limits, expires_at AS expiresAt,
       last_used_at AS lastUsedAt
     FROM keys JOIN teams ON teams.id = team_id
     WHERE (hash = ?1 OR (previous_hash = ?1 AND previous_until > ?2)) AND (expires_at IS NULL OR expires_at > ?2)`,
  ),
  noteKeyUse: connection.prepare('UPDATE keys SET last_used_at = ? WHERE id = ?'),
  removeExpired: connection.prepare(
    'DELETE FROM keys WHERE hash IN (SELECT hash FROM keys WHERE expires_at <= ? LIMIT ?)',
  ),
});
