// SQL for agents that got a key by themselves, and for use without a key.
import { uuidv7 } from '../../util/ids.ts';
import type { Connection } from '../../util/sqlite.ts';
import type { OnboardingStore, Registration } from '../onboarding-store.ts';
import type { Remover } from '../sql/database.ts';
import type { Served } from './served.ts';

export interface OnboardingRows extends Served<OnboardingStore> {
  removers: Remover[];
}

const DAY_MS = 24 * 3_600_000;

export function createOnboardingRows(connection: Connection): OnboardingRows {
  const sql = prepareAll(connection);
  const withKeys = (row: Row): Registration => ({ ...row, keyIds: sql.keyIds.all(row.id).map(({ keyId }) => keyId) });
  const read = (row: Row | undefined) => row && withKeys(row);

  return {
    useAssertion: (assertion, usableUntil) => Number(sql.useAssertion.run(assertion, usableUntil).changes) === 1,
    ensureRegistration(subject, teamId, now) {
      sql.addPerson.run(uuidv7(now), teamId, subject, now);
      return withKeys(sql.bySubject.get(subject)!);
    },
    addAnonymous: ({ teamId, claimHash, expiresAt, maxUnclaimed, now }) =>
      connection.transaction(() => {
        if (sql.countUnclaimed.get(now)!.count >= maxUnclaimed) return undefined;
        const id = uuidv7(now);
        sql.addAnonymous.run(id, teamId, claimHash, expiresAt, now);
        return read(sql.byId.get(id, now));
      }),
    countUnclaimed: (now) => sql.countUnclaimed.get(now)!.count,
    addKey: (registrationId, keyId, maxKeys) =>
      connection.transaction(() => {
        sql.addKey.run(registrationId, keyId);
        const excess = sql.excessKeys.all(registrationId, maxKeys).map((key) => key.keyId);
        for (const old of excess) sql.removeKey.run(old);
        return excess;
      }),
    find: (id, now) => read(sql.byId.get(id, now)),
    findByKey: (keyId) => read(sql.byKey.get(keyId)),
    requestClaim: (claimHash, email, now) =>
      connection.transaction(() => {
        sql.requestClaim.run(now, email, claimHash, now);
        return read(sql.byClaim.get(claimHash, now));
      }),
    listUnclaimed: (now, limit) => sql.unclaimed.all(now, limit).map(withKeys),
    claim: (id, now) => void sql.claim.run(now, id),
    remove: (id) => void sql.remove.run(id),
    takeKeyless: (caller, day, { maxRequests, maxCallers }) =>
      connection.transaction(() => {
        const known = sql.keyless.get(caller);
        if (!known && sql.countKeyless.get(day)!.count >= maxCallers) return false;
        if ((known?.requests ?? 0) >= maxRequests) return false;
        sql.takeKeyless.run(caller, day);
        return true;
      }),
    keylessRequests: (caller) => sql.keyless.get(caller)?.requests ?? 0,
    removers: [
      (now, limit) => Number(sql.removeAssertions.run(now, limit).changes),
      (now, limit) => Number(sql.removeExpired.run(now, limit).changes),
      // Yesterday is kept: clocks may be set back.
      (now, limit) => Number(sql.removeKeyless.run(Math.floor(now / DAY_MS) - 1, limit).changes),
    ],
  };
}

type Row = Omit<Registration, 'keyIds'>;

const REGISTRATION = `SELECT registrations.id, team_id AS teamId, created_at AS createdAt, expires_at AS expiresAt,
    claimed_at AS claimedAt, requested_at AS requestedAt, email FROM registrations`;
const IS_CURRENT = '(expires_at IS NULL OR expires_at > ?)';
/** Those that are claimed have no expiry any more. */
const IS_UNCLAIMED = 'expires_at > ?';

const prepareAll = (connection: Connection) => ({
  useAssertion: connection.prepare(
    'INSERT INTO used_assertions (id, usable_until) VALUES (?, ?) ON CONFLICT (id) DO NOTHING',
  ),
  removeAssertions: connection.prepare(
    'DELETE FROM used_assertions WHERE id IN (SELECT id FROM used_assertions WHERE usable_until <= ? LIMIT ?)',
  ),
  addPerson: connection.prepare(
    'INSERT INTO registrations (id, team_id, subject, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (subject) DO NOTHING',
  ),
  addAnonymous: connection.prepare(
    'INSERT INTO registrations (id, team_id, claim_hash, expires_at, created_at) VALUES (?, ?, ?, ?, ?)',
  ),
  bySubject: connection.prepare<Row>(`${REGISTRATION} WHERE subject = ?`),
  byId: connection.prepare<Row>(`${REGISTRATION} WHERE id = ? AND ${IS_CURRENT}`),
  byClaim: connection.prepare<Row>(`${REGISTRATION} WHERE claim_hash = ? AND ${IS_CURRENT}`),
  byKey: connection.prepare<Row>(
    `${REGISTRATION} JOIN registered_keys ON registration_id = registrations.id WHERE key_id = ?`,
  ),
  unclaimed: connection.prepare<Row>(`${REGISTRATION} WHERE ${IS_UNCLAIMED} ORDER BY created_at, id LIMIT ?`),
  countUnclaimed: connection.prepare<{ count: number }>(
    `SELECT count(*) AS count FROM registrations WHERE ${IS_UNCLAIMED}`,
  ),
  requestClaim: connection.prepare(
    `UPDATE registrations SET requested_at = ?, email = coalesce(?, email) WHERE claim_hash = ? AND ${IS_UNCLAIMED}`,
  ),
  claim: connection.prepare('UPDATE registrations SET claimed_at = ?, expires_at = NULL WHERE id = ?'),
  remove: connection.prepare('DELETE FROM registrations WHERE id = ?'),
  removeExpired: connection.prepare(
    'DELETE FROM registrations WHERE id IN (SELECT id FROM registrations WHERE expires_at <= ? LIMIT ?)',
  ),
  keyIds: connection.prepare<{ keyId: string }>(
    'SELECT key_id AS keyId FROM registered_keys WHERE registration_id = ? ORDER BY number',
  ),
  addKey: connection.prepare(
    `INSERT INTO registered_keys (registration_id, number, key_id)
     SELECT ?1, coalesce(max(number), 0) + 1, ?2 FROM registered_keys WHERE registration_id = ?1`,
  ),
  excessKeys: connection.prepare<{ keyId: string }>(
    'SELECT key_id AS keyId FROM registered_keys WHERE registration_id = ? ORDER BY number DESC LIMIT -1 OFFSET ?',
  ),
  removeKey: connection.prepare('DELETE FROM registered_keys WHERE key_id = ?'),
  keyless: connection.prepare<{ requests: number }>('SELECT requests FROM keyless_usage WHERE caller = ?'),
  countKeyless: connection.prepare<{ count: number }>('SELECT count(*) AS count FROM keyless_usage WHERE day = ?'),
  takeKeyless: connection.prepare(
    `INSERT INTO keyless_usage (caller, day, requests) VALUES (?, ?, 1)
     ON CONFLICT (caller) DO UPDATE SET requests = requests + 1`,
  ),
  removeKeyless: connection.prepare(
    'DELETE FROM keyless_usage WHERE caller IN (SELECT caller FROM keyless_usage WHERE day < ? LIMIT ?)',
  ),
});
