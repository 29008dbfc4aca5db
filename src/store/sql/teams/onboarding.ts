// Agents that got a key by themselves, and use without a key.
import { uuidv7 } from '../../../util/ids.ts';
import type { OnboardingStore, Registration } from '../../ports/teams/onboarding-store.ts';
import { type Database, type Fragment, type Queries, type Remover, sql } from '../database.ts';

export interface Onboarding {
  port: OnboardingStore;
  removers: Remover[];
}

const DAY_MS = 24 * 3_600_000;

export const createOnboarding = (database: Database): Onboarding => ({
  port: { ...createRegistrations(database), ...createKeylessUse(database) },
  removers: createRemovers(database),
});

function createRegistrations(database: Database): Omit<OnboardingStore, 'takeKeyless' | 'keylessRequests'> {
  return {
    useAssertion: async (assertion, usableUntil) =>
      (await database.run`
        INSERT INTO used_assertions (id, usable_until) VALUES (${assertion}, ${usableUntil})
        ON CONFLICT (id) DO NOTHING`) === 1,
    async ensureRegistration(subject, teamId, now) {
      await database.run`
        INSERT INTO registrations (id, team_id, subject, created_at) VALUES (${uuidv7(now)}, ${teamId}, ${subject}, ${now})
        ON CONFLICT (subject) DO NOTHING`;
      return (await readOne(database, sql`subject = ${subject}`))!;
    },
    addAnonymous: ({ teamId, claimHash, expiresAt, maxUnclaimed, now }) =>
      database.transaction(async (tx) => {
        await tx.lock('anonymous registrations');
        if ((await countUnclaimed(tx, now)) >= maxUnclaimed) return undefined;
        const id = uuidv7(now);
        await tx.run`
          INSERT INTO registrations (id, team_id, claim_hash, expires_at, created_at)
          VALUES (${id}, ${teamId}, ${claimHash}, ${expiresAt}, ${now})`;
        return readOne(tx, sql`id = ${id} AND ${isCurrent(now)}`);
      }),
    countUnclaimed: (now) => countUnclaimed(database, now),
    addKey: (registrationId, keyId, maxKeys) =>
      database.transaction(async (tx) => {
        await tx.one`SELECT id FROM registrations WHERE id = ${registrationId} FOR NO KEY UPDATE`;
        await tx.run`
          INSERT INTO registered_keys (registration_id, number, key_id)
          SELECT ${registrationId}, coalesce(max(number), 0) + 1, ${keyId} FROM registered_keys
          WHERE registration_id = ${registrationId}`;
        const excess = await tx.rows<{ keyId: string; number: number }>`
          DELETE FROM registered_keys WHERE registration_id = ${registrationId} AND number IN (
            SELECT number FROM registered_keys WHERE registration_id = ${registrationId}
            ORDER BY number DESC LIMIT ALL OFFSET ${maxKeys})
          RETURNING key_id AS "keyId", number`;
        return excess.sort((one, other) => other.number - one.number).map((key) => key.keyId);
      }),
    find: (id, now) => readOne(database, sql`id = ${id} AND ${isCurrent(now)}`),
    findByKey: (keyId) =>
      readOne(database, sql`id = (SELECT registration_id FROM registered_keys WHERE key_id = ${keyId})`),
    requestClaim: (claimHash, email, now) =>
      database.transaction(async (tx) => {
        await tx.run`
          UPDATE registrations SET requested_at = ${now}, email = coalesce(${email}, email)
          WHERE claim_hash = ${claimHash} AND ${isUnclaimed(now)}`;
        return readOne(tx, sql`claim_hash = ${claimHash} AND ${isCurrent(now)}`);
      }),
    listUnclaimed: (now, limit) => read(database, sql`${isUnclaimed(now)} ORDER BY created_at, id LIMIT ${limit}`),
    claim: async (id, now) =>
      void (await database.run`UPDATE registrations SET claimed_at = ${now}, expires_at = NULL WHERE id = ${id}`),
    remove: async (id) => void (await database.run`DELETE FROM registrations WHERE id = ${id}`),
  };
}

const isCurrent = (now: number) => sql`(expires_at IS NULL OR expires_at > ${now})`;
/** Those that are claimed have no expiry any more. */
const isUnclaimed = (now: number) => sql`expires_at > ${now}`;

async function countUnclaimed(queries: Queries, now: number): Promise<number> {
  const row = await queries.one<{ count: number }>`
    SELECT count(*) AS count FROM registrations WHERE ${isUnclaimed(now)}`;
  return row!.count;
}

type Row = Omit<Registration, 'keyIds'> & { keyId: string | null };

/** The oldest first. `chosen` is a condition, and may go on with what can follow one. */
async function read(queries: Queries, chosen: Fragment): Promise<Registration[]> {
  const rows = await queries.rows<Row>`
    SELECT id, team_id AS "teamId", created_at AS "createdAt", expires_at AS "expiresAt", claimed_at AS "claimedAt",
      requested_at AS "requestedAt", email, key_id AS "keyId"
    FROM registrations LEFT JOIN registered_keys ON registration_id = id
    WHERE id IN (SELECT id FROM registrations WHERE ${chosen}) ORDER BY created_at, id, number`;
  const found = new Map<string, Registration>();
  for (const { keyId, ...registration } of rows) {
    const known = found.get(registration.id) ?? { ...registration, keyIds: [] };
    found.set(known.id, known);
    if (keyId !== null) known.keyIds.push(keyId);
  }
  return [...found.values()];
}

const readOne = async (queries: Queries, condition: Fragment): Promise<Registration | undefined> =>
  (await read(queries, condition))[0];

function createKeylessUse(database: Database): Pick<OnboardingStore, 'takeKeyless' | 'keylessRequests'> {
  const keylessRequests: OnboardingStore['keylessRequests'] = async (caller) => {
    const row = await database.one<{ requests: number }>`
      SELECT requests FROM keyless_usage WHERE caller = ${caller}`;
    return row?.requests ?? 0;
  };
  const addCaller: OnboardingStore['takeKeyless'] = (caller, day, { maxRequests, maxCallers }) =>
    database.transaction(async (tx) => {
      await tx.lock('keyless callers');
      const taken = await tx.run`
        INSERT INTO keyless_usage (caller, day, requests)
        SELECT ${caller}, ${day}, 1 WHERE EXISTS (SELECT 1 FROM keyless_usage WHERE caller = ${caller})
          OR (SELECT count(*) FROM keyless_usage WHERE day = ${day}) < ${maxCallers}
        ON CONFLICT (caller) DO UPDATE SET requests = keyless_usage.requests + 1
          WHERE keyless_usage.requests < ${maxRequests}`;
      return taken === 1;
    });
  return {
    keylessRequests,
    async takeKeyless(caller, day, limits) {
      const { maxRequests } = limits;
      // Callers that are known wait for nobody.
      const taken = await database.run`
        UPDATE keyless_usage SET requests = requests + 1 WHERE caller = ${caller} AND requests < ${maxRequests}`;
      if (taken === 1) return true;
      return (await keylessRequests(caller)) < maxRequests && addCaller(caller, day, limits);
    },
  };
}

const createRemovers = (database: Database): Remover[] => [
  (now, limit) => database.run`
    DELETE FROM used_assertions WHERE id IN (
      SELECT id FROM used_assertions WHERE usable_until <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  (now, limit) => database.run`
    DELETE FROM registrations WHERE id IN (
      SELECT id FROM registrations WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  // Yesterday is kept: clocks may be set back.
  (now, limit) => database.run`
    DELETE FROM keyless_usage WHERE caller IN (
      SELECT caller FROM keyless_usage WHERE day < ${Math.floor(now / DAY_MS) - 1} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
];
