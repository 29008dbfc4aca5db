// API keys. What changes the keys of a team locks the team first, so that its last key stays.
import type { AuditAction } from '../../../contracts/team/audit.ts';
import { auditTarget } from '../../../contracts/team/audit-target.ts';
import { isUnrestrictedKey } from '../../../contracts/team/unrestricted-key.ts';
import { uuidv7 } from '../../../util/ids.ts';
import type { Actor, AuditDetails } from '../../ports/teams/audit-log.ts';
import type { KeyName, KeyRecord, NewKey, Team, TeamStore } from '../../ports/teams/team-store.ts';
import { type Database, type Queries, type Remover, sql, type Tx } from '../database.ts';
import type { SqlAuditLog } from './audit-log.ts';
import { type KeyRow, NO_LIMITS, type OwnerRow, readKey, readOwner, writeLimits } from './team-record.ts';

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

export interface Keys extends Pick<TeamStore, KeyCalls> {
  removeExpired: Remover;
}

export interface KeysDeps {
  database: Database;
  audit: Pick<SqlAuditLog, 'record'>;
  /** Call it inside a transaction. */
  ensureTeam(tx: Tx, name: string, by: Actor): Promise<Team>;
}

/** The use of a key is recorded at most this often. */
const USE_RESOLUTION_MS = 60_000;

const KEYS = sql`
  SELECT keys.id, prefix, team_id AS "teamId", teams.name AS team, label, limits, keys.created_at AS "createdAt",
    last_used_at AS "lastUsedAt", expires_at AS "expiresAt", previous_until AS "previousUntil"
  FROM keys JOIN teams ON teams.id = team_id`;

export function createKeys({ database, audit, ensureTeam }: KeysDeps): Keys {
  const record = (tx: Tx, key: KeyRecord, action: AuditAction, by: Actor, details?: AuditDetails) =>
    audit.record(tx, {
      ...{ ...by, teamId: key.teamId, action, target: auditTarget(key.prefix) },
      ...(details && { details }),
    });

  /** Runs `work` with a key that no other transaction changes meanwhile. */
  const withKey = <T>(name: KeyName, work: (tx: Tx, key: KeyRecord) => Promise<T>): Promise<T | undefined> =>
    database.transaction(async (tx) => {
      await tx.one`SELECT id FROM teams WHERE id = ${name.teamId} FOR NO KEY UPDATE`;
      const key = await findKey(tx, name);
      return key && work(tx, key);
    });

  const add = async (tx: Tx, key: NewKey, by: Actor): Promise<KeyRecord> => {
    const { hash, prefix, team, label = null, limits = {}, expiresAt = null } = key;
    const { id: teamId } = await ensureTeam(tx, team, by);
    const id = uuidv7(by.at);
    await tx.run`
      INSERT INTO keys (hash, id, prefix, team_id, label, limits, created_at, expires_at)
      VALUES (${hash}, ${id}, ${prefix}, ${teamId}, ${label}, ${writeLimits(limits)}, ${by.at}, ${expiresAt})`;
    const added = (await findKey(tx, { id, teamId }))!;
    await record(tx, added, 'key.created', by, {
      ...(label !== null && { label }),
      restricted: !isUnrestrictedKey(limits, expiresAt),
    });
    return added;
  };

  return {
    addKey: (key, by) => database.transaction((tx) => add(tx, key, by)),
    addFirstKey: (key, by) =>
      database.transaction(async (tx) => {
        // Processes that start at the same time wait for each other.
        await tx.lock('the first key');
        return (await tx.one`SELECT 1 FROM keys LIMIT 1`) ? undefined : add(tx, key, by);
      }),
    async listKeys(teamId) {
      const rows = await database.rows<KeyRow>`
        ${KEYS} ${teamId === undefined ? sql`` : sql`WHERE team_id = ${teamId}`} ORDER BY keys.created_at, prefix`;
      return rows.map(readKey);
    },
    async listKeyHashes() {
      const rows = await database.rows<{ hash: string }>`
        SELECT hash FROM keys UNION ALL SELECT previous_hash FROM keys WHERE previous_hash IS NOT NULL`;
      return rows.map(({ hash }) => hash);
    },
    changeKey: (name, change, by) =>
      withKey<KeyRecord | 'last'>(name, async (tx, key) => {
        const { label, limits, expiresAt } = { ...key, ...change };
        if (!isUnrestrictedKey(limits, expiresAt) && (await isLast(tx, name, key))) return 'last';
        await tx.run`
          UPDATE keys SET label = ${label}, limits = ${writeLimits(limits)}, expires_at = ${expiresAt}
          WHERE id = ${name.id}`;
        await record(tx, key, 'key.changed', by, { fields: Object.keys(change).join(', ') });
        return (await findKey(tx, name))!;
      }),
    rotateKey: (name, { hash, previousUntil }, by) =>
      withKey(name, async (tx, key) => {
        await tx.run`
          UPDATE keys SET previous_hash = hash, hash = ${hash}, previous_until = ${previousUntil} WHERE id = ${name.id}`;
        const graceSeconds = Math.max(0, Math.round((previousUntil - by.at) / 1000));
        await record(tx, key, 'key.rotated', by, { graceSeconds });
        return (await findKey(tx, name))!;
      }),
    removeKey: (name, by) =>
      withKey<KeyRecord | 'last'>(name, async (tx, key) => {
        if (await isLast(tx, name, key)) return 'last';
        await tx.run`DELETE FROM keys WHERE id = ${name.id}`;
        await record(tx, key, 'key.revoked', by, key.label === null ? undefined : { label: key.label });
        return key;
      }),
    ...createKeySearch(database),
    removeExpired: (now, limit) => database.run`
      DELETE FROM keys WHERE hash IN (
        SELECT hash FROM keys WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  };
}

async function findKey(queries: Queries, { id, teamId }: KeyName): Promise<KeyRecord | undefined> {
  const row = await queries.one<KeyRow>`${KEYS} WHERE keys.id = ${id} AND team_id = ${teamId}`;
  return row && readKey(row);
}

/** Whether the team has no other key without restrictions, if that is asked. */
async function isLast(tx: Tx, { id, teamId, unlessLast }: KeyName, { limits, expiresAt }: KeyRecord): Promise<boolean> {
  if (unlessLast !== true || !isUnrestrictedKey(limits, expiresAt)) return false;
  const other = await tx.one`
    SELECT id FROM keys WHERE team_id = ${teamId} AND id <> ${id} AND limits = ${NO_LIMITS} AND expires_at IS NULL LIMIT 1`;
  return other === undefined;
}

const OWNER = sql`
  SELECT teams.id, name, settings, keys.id AS "keyId", prefix AS key, limits, expires_at AS "expiresAt",
    last_used_at AS "lastUsedAt"
  FROM keys JOIN teams ON teams.id = team_id`;

export const createKeySearch = (database: Database): Pick<Keys, 'findByKey' | 'findValid'> => ({
  async findByKey(hash, now) {
    const isUsable = sql`(expires_at IS NULL OR expires_at > ${now})`;
    type Row = OwnerRow & Pick<KeyRecord, 'lastUsedAt'>;
    const found =
      (await database.one<Row>`${OWNER} WHERE hash = ${hash} AND ${isUsable}`) ??
      // With a key that was rotated; asked apart, because few are.
      (await database.one<Row>`
        ${OWNER} WHERE previous_hash = ${hash} AND previous_until > ${now} AND ${isUsable}`);
    if (!found) return undefined;
    const { lastUsedAt, ...owner } = found;
    // Skips what another process is recording: nobody waits for it.
    if (now - (lastUsedAt ?? 0) >= USE_RESOLUTION_MS)
      await database.attempt(
        () => database.run`
          UPDATE keys SET last_used_at = ${now}
          WHERE hash = (SELECT hash FROM keys WHERE id = ${owner.keyId} FOR NO KEY UPDATE SKIP LOCKED)`,
      );
    return readOwner(owner);
  },
  async findValid(hashes, now) {
    const rows = await database.rows<{ hash: string }>`
      SELECT asked.hash FROM unnest(${hashes}::text[]) AS asked (hash) WHERE EXISTS (
        SELECT 1 FROM keys WHERE (keys.hash = asked.hash OR (previous_hash = asked.hash AND previous_until > ${now}))
          AND (expires_at IS NULL OR expires_at > ${now}))`;
    const valid = new Set(rows.map(({ hash }) => hash));
    return hashes.filter((hash) => valid.has(hash));
  },
});
