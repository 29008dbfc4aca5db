// SQL for agents that got a key by themselves, and for use without a key.
import { uuidv7 } from '../../../util/ids.ts';
import type { OnboardingStore, Registration } from '../../onboarding-store.ts';
import type { Remover } from '../../sql/database.ts';
import type { Base } from '../base.ts';
import type { Sql } from '../database/database.ts';
import { lockByName } from '../database/lock-by-name.ts';

export interface OnboardingRows {
  port: OnboardingStore;
  removers: Remover[];
}

const DAY_MS = 24 * 3_600_000;

export function createOnboardingRows({ database }: Pick<Base, 'database'>): OnboardingRows {
  const { sql: pool, transaction } = database;
  const port: OnboardingStore = {
    useAssertion: async (assertion, usableUntil) =>
      (
        await pool`INSERT INTO used_assertions (id, usable_until) VALUES (${assertion}, ${usableUntil})
          ON CONFLICT (id) DO NOTHING`
      ).count === 1,
    async ensureRegistration(subject, teamId, now) {
      await pool`INSERT INTO registrations (id, team_id, subject, created_at)
        VALUES (${uuidv7(now)}, ${teamId}, ${subject}, ${now}) ON CONFLICT (subject) DO NOTHING`;
      return (await read(pool, pool`subject = ${subject}`))!;
    },
    addAnonymous: ({ teamId, claimHash, expiresAt, maxUnclaimed, now }) =>
      transaction(async (sql) => {
        await lockByName(sql, 'anonymous registrations');
        if ((await countUnclaimed(sql, now)) >= maxUnclaimed) return undefined;
        const id = uuidv7(now);
        await sql`INSERT INTO registrations (id, team_id, claim_hash, expires_at, created_at)
          VALUES (${id}, ${teamId}, ${claimHash}, ${expiresAt}, ${now})`;
        return read(sql, sql`id = ${id}`, now);
      }),
    countUnclaimed: (now) => countUnclaimed(pool, now),
    addKey: (registrationId, keyId, maxKeys) =>
      transaction(async (sql) => {
        await sql`SELECT id FROM registrations WHERE id = ${registrationId} FOR NO KEY UPDATE`;
        await sql`INSERT INTO registered_keys (registration_id, number, key_id)
          SELECT ${registrationId}, coalesce(max(number), 0) + 1, ${keyId} FROM registered_keys
          WHERE registration_id = ${registrationId}`;
        const excess = await sql<{ keyId: string; number: number }[]>`
          DELETE FROM registered_keys WHERE registration_id = ${registrationId} AND number IN (
            SELECT number FROM registered_keys WHERE registration_id = ${registrationId}
            ORDER BY number DESC OFFSET ${maxKeys})
          RETURNING key_id AS "keyId", number`;
        return excess.sort((one, other) => other.number - one.number).map((key) => key.keyId);
      }),
    find: (id, now) => read(pool, pool`id = ${id}`, now),
    findByKey: (keyId) => read(pool, pool`id = (SELECT registration_id FROM registered_keys WHERE key_id = ${keyId})`),
    requestClaim: (claimHash, email, now) =>
      transaction(async (sql) => {
        await sql`UPDATE registrations SET requested_at = ${now}, email = coalesce(${email}, email)
          WHERE claim_hash = ${claimHash} AND expires_at > ${now}`;
        return read(sql, sql`claim_hash = ${claimHash}`, now);
      }),
    listUnclaimed: async (now, limit) => [
      ...(await pool<Registration[]>`
        ${registrations(pool)} WHERE expires_at > ${now} ORDER BY created_at, id LIMIT ${limit}`),
    ],
    claim: async (id, now) =>
      void (await pool`UPDATE registrations SET claimed_at = ${now}, expires_at = NULL WHERE id = ${id}`),
    remove: async (id) => void (await pool`DELETE FROM registrations WHERE id = ${id}`),
    async takeKeyless(caller, day, { maxRequests, maxCallers }) {
      if (maxRequests <= 0) return false;
      const known = await pool<{ isTaken: boolean }[]>`
        WITH taken AS (UPDATE keyless_usage SET requests = requests + 1
          WHERE caller = ${caller} AND requests < ${maxRequests} RETURNING caller)
        SELECT EXISTS (SELECT 1 FROM taken) AS "isTaken" FROM keyless_usage WHERE caller = ${caller}`;
      return known[0]?.isTaken ?? addCaller(caller, day, { maxRequests, maxCallers });
    },
    keylessRequests: async (caller) =>
      (await pool<{ requests: number }[]>`SELECT requests FROM keyless_usage WHERE caller = ${caller}`)[0]?.requests ??
      0,
  };

  const addCaller: OnboardingStore['takeKeyless'] = (caller, day, { maxRequests, maxCallers }) =>
    transaction(async (sql) => {
      await lockByName(sql, 'keyless callers');
      const { count } = await sql`
        INSERT INTO keyless_usage AS used (caller, day, requests)
        SELECT ${caller}, ${day}, 1 WHERE EXISTS (SELECT 1 FROM keyless_usage WHERE caller = ${caller})
          OR (SELECT count(*) FROM keyless_usage WHERE day = ${day}) < ${maxCallers}
        ON CONFLICT (caller) DO UPDATE SET requests = used.requests + 1 WHERE used.requests < ${maxRequests}`;
      return count === 1;
    });

  return { port, removers: createRemovers(pool) };
}

async function countUnclaimed(sql: Sql, now: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`SELECT count(*) FROM registrations WHERE expires_at > ${now}`;
  return row!.count;
}

const registrations = (sql: Sql) => sql`
  SELECT id, team_id AS "teamId", created_at AS "createdAt", expires_at AS "expiresAt", claimed_at AS "claimedAt",
    requested_at AS "requestedAt", email,
    ARRAY(SELECT key_id FROM registered_keys WHERE registration_id = registrations.id ORDER BY number) AS "keyIds"
  FROM registrations`;

/** With a time: only if it has not expired. */
async function read(sql: Sql, condition: ReturnType<Sql>, now?: number): Promise<Registration | undefined> {
  const isCurrent = now === undefined ? sql`` : sql`AND (expires_at IS NULL OR expires_at > ${now})`;
  return (await sql<Registration[]>`${registrations(sql)} WHERE ${condition} ${isCurrent}`)[0];
}

function createRemovers(sql: Sql): Remover[] {
  return [
    async (now, limit) =>
      (
        await sql`DELETE FROM used_assertions WHERE id IN (
          SELECT id FROM used_assertions WHERE usable_until <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
      ).count,
    async (now, limit) =>
      (
        await sql`DELETE FROM registrations WHERE id IN (
          SELECT id FROM registrations WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
      ).count,
    // Yesterday is kept: clocks may be set back.
    async (now, limit) =>
      (
        await sql`DELETE FROM keyless_usage WHERE caller IN (
          SELECT caller FROM keyless_usage WHERE day < ${Math.floor(now / DAY_MS) - 1}
          LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
      ).count,
  ];
}
