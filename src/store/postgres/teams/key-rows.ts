// SQL for API keys. What changes the keys of a team locks the team first, so that its last key stays.

import type { AuditAction } from '../../../contracts/audit.ts';
import { auditTarget } from '../../../contracts/audit-target.ts';
import { isUnrestrictedKey } from '../../../contracts/unrestricted-key.ts';
import { uuidv7 } from '../../../util/ids.ts';
import type { Actor, AuditDetails } from '../../audit-log.ts';
import {
  KEY_USE_RESOLUTION_MS,
  type KeyRow,
  NO_LIMITS,
  type OwnerRow,
  readKey,
  readOwner,
  writeLimits,
} from '../../records/teams/team-record.ts';
import type { Remover } from '../../sql/database.ts';
import type { KeyName, KeyOwner, KeyRecord, NewKey, Team, TeamStore } from '../../team-store.ts';
import type { Base } from '../base.ts';
import type { Sql } from '../database/database.ts';
import { lockByName } from '../database/lock-by-name.ts';
import type { AuditRows } from './audit-rows.ts';

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

export interface KeyRows extends Pick<TeamStore, KeyCalls> {
  /** As `findByKey` and `findValid`, inside a transaction. */
  findOwner(sql: Sql, hash: string, now: number): Promise<KeyOwner | undefined>;
  findValidIn(sql: Sql, hashes: readonly string[], now: number): Promise<string[]>;
  removeExpired: Remover;
}

interface Deps extends Pick<Base, 'database'> {
  audit: Pick<AuditRows, 'record'>;
  /** Call inside a transaction. */
  ensureTeam(sql: Sql, name: string, by: Actor): Promise<Team>;
}

export function createKeyRows({ database, audit, ensureTeam }: Deps): KeyRows {
  const { sql: pool, transaction } = database;

  const record = (sql: Sql, key: KeyRecord, action: AuditAction, by: Actor, details?: AuditDetails) =>
    audit.record(sql, {
      ...by,
      teamId: key.teamId,
      action,
      target: auditTarget(key.prefix),
      ...(details && { details }),
    });

  const isLast = async (sql: Sql, { id, teamId, unlessLast }: KeyName, { limits, expiresAt }: KeyRecord) =>
    unlessLast === true &&
    isUnrestrictedKey(limits, expiresAt) &&
    (
      await sql`SELECT id FROM keys
        WHERE team_id = ${teamId} AND id <> ${id} AND limits = ${NO_LIMITS} AND expires_at IS NULL LIMIT 1`
    ).length === 0;

  /** Runs `work` with a key that no other transaction changes meanwhile. */
  const withKey = <T>(name: KeyName, work: (sql: Sql, key: KeyRecord) => Promise<T>): Promise<T | undefined> =>
    transaction(async (sql) => {
      await sql`SELECT id FROM teams WHERE id = ${name.teamId} FOR NO KEY UPDATE`;
      const key = await findKey(sql, name);
      return key && work(sql, key);
    });

  const add = async (
    sql: Sql,
    { hash, prefix, team, label = null, limits = {}, expiresAt = null }: NewKey,
    by: Actor,
  ): Promise<KeyRecord> => {
    const { id: teamId } = await ensureTeam(sql, team, by);
    const id = uuidv7(by.at);
    await sql`
      INSERT INTO keys (hash, id, prefix, team_id, label, limits, created_at, expires_at)
      VALUES (${hash}, ${id}, ${prefix}, ${teamId}, ${label}, ${writeLimits(limits)}, ${by.at}, ${expiresAt})`;
    const key = (await findKey(sql, { id, teamId }))!;
    await record(sql, key, 'key.created', by, {
      ...(label !== null && { label }),
      restricted: !isUnrestrictedKey(limits, expiresAt),
    });
    return key;
  };

  return {
    addKey: (key, by) => transaction((sql) => add(sql, key, by)),
    addFirstKey: (key, by) =>
      transaction(async (sql) => {
        // Processes that start at the same time wait for each other.
        await lockByName(sql, 'the first key');
        const [any] = await sql`SELECT 1 FROM keys LIMIT 1`;
        return any ? undefined : add(sql, key, by);
      }),
    async listKeys(teamId) {
      const rows = await pool<KeyRow[]>`
        ${keys(pool)} ${teamId === undefined ? pool`` : pool`WHERE team_id = ${teamId}`}
        ORDER BY keys.created_at, prefix`;
      return rows.map(readKey);
    },
    async listKeyHashes() {
      const rows = await pool<{ hash: string }[]>`
        SELECT hash FROM keys UNION ALL SELECT previous_hash FROM keys WHERE previous_hash IS NOT NULL`;
      return rows.map(({ hash }) => hash);
    },
    changeKey: (name, change, by) =>
      withKey<KeyRecord | 'last'>(name, async (sql, key) => {
        const { label, limits, expiresAt } = { ...key, ...change };
        if (!isUnrestrictedKey(limits, expiresAt) && (await isLast(sql, name, key))) return 'last';
        await sql`
          UPDATE keys SET label = ${label}, limits = ${writeLimits(limits)}, expires_at = ${expiresAt}
          WHERE id = ${name.id}`;
        await record(sql, key, 'key.changed', by, { fields: Object.keys(change).join(', ') });
        return (await findKey(sql, name))!;
      }),
    rotateKey: (name, { hash, previousUntil }, by) =>
      withKey(name, async (sql, key) => {
        await sql`
          UPDATE keys SET previous_hash = hash, hash = ${hash}, previous_until = ${previousUntil} WHERE id = ${name.id}`;
        await record(sql, key, 'key.rotated', by, {
          graceSeconds: Math.max(0, Math.round((previousUntil - by.at) / 1000)),
        });
        return (await findKey(sql, name))!;
      }),
    removeKey: (name, by) =>
      withKey<KeyRecord | 'last'>(name, async (sql, key) => {
        if (await isLast(sql, name, key)) return 'last';
        await sql`DELETE FROM keys WHERE id = ${name.id}`;
        await record(sql, key, 'key.revoked', by, key.label === null ? undefined : { label: key.label });
        return key;
      }),
    findByKey: (hash, now) => findOwner(pool, hash, now),
    findValid: (hashes, now) => findValidIn(pool, hashes, now),
    findOwner,
    findValidIn,
    removeExpired: async (now, limit) =>
      (
        await pool`DELETE FROM keys WHERE hash IN (
          SELECT hash FROM keys WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
      ).count,
  };
}

async function findKey(sql: Sql, { id, teamId }: KeyName): Promise<KeyRecord | undefined> {
  const rows = await sql<KeyRow[]>`${keys(sql)} WHERE keys.id = ${id} AND team_id = ${teamId}`;
  return rows.map(readKey)[0];
}

async function findOwner(sql: Sql, hash: string, now: number): Promise<KeyOwner | undefined> {
  const [found] = await sql<(OwnerRow & Pick<KeyRecord, 'lastUsedAt'>)[]>`
    SELECT teams.id, name, settings, keys.id AS "keyId", prefix AS key, limits, expires_at AS "expiresAt",
      last_used_at AS "lastUsedAt"
    FROM keys JOIN teams ON teams.id = team_id WHERE ${isValid(sql, sql`${hash}`, now)}`;
  if (!found) return undefined;
  const { lastUsedAt, ...owner } = found;
  // Skips what another process is recording: nobody waits for it.
  if (now - (lastUsedAt ?? 0) >= KEY_USE_RESOLUTION_MS)
    await sql`UPDATE keys SET last_used_at = ${now}
      WHERE hash = (SELECT hash FROM keys WHERE id = ${owner.keyId} FOR NO KEY UPDATE SKIP LOCKED)`;
  return readOwner(owner);
}

async function findValidIn(sql: Sql, hashes: readonly string[], now: number): Promise<string[]> {
  const rows = await sql<{ hash: string }[]>`
    SELECT asked.hash FROM unnest(${hashes as string[]}::text[]) WITH ORDINALITY AS asked (hash, position)
    WHERE EXISTS (SELECT 1 FROM keys WHERE ${isValid(sql, sql`asked.hash`, now)}) ORDER BY position`;
  return rows.map(({ hash }) => hash);
}

const isValid = (sql: Sql, hash: ReturnType<Sql>, now: number) => sql`
  (keys.hash = ${hash} OR (previous_hash = ${hash} AND previous_until > ${now}))
  AND (expires_at IS NULL OR expires_at > ${now})`;

const keys = (sql: Sql) => sql`
  SELECT keys.id, prefix, team_id AS "teamId", teams.name AS team, label, limits, keys.created_at AS "createdAt",
    last_used_at AS "lastUsedAt", expires_at AS "expiresAt", previous_until AS "previousUntil"
  FROM keys JOIN teams ON teams.id = team_id`;
