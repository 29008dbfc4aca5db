// SQL for the recipients of e-mails.
import { sha256 } from '../../../util/hash.ts';
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import type { Subscription } from '../../mail-store.ts';
import {
  changedTrust,
  type FoundSubscription,
  newTrust,
  type SubscriptionRow,
  toSubscription,
} from '../../records/deliveries/mail-record.ts';
import type { Sql } from '../database/database.ts';

export interface SubscriptionRows {
  /** `isLocked`: nobody else changes it until the end of the transaction. */
  find(sql: Sql, number: number, isLocked?: boolean): Promise<FoundSubscription | undefined>;
  findAll(sql: Sql, numbers: readonly number[]): Promise<Map<number, FoundSubscription>>;
  /** Call inside a transaction. */
  subscribe(sql: Sql, teamId: string, recipient: { email: string; isTrusted: boolean }): Promise<FoundSubscription>;
  setStatus(sql: Sql, number: number, status: Subscription['status']): Promise<void>;
  setConfirmation(sql: Sql, number: number, state: Subscription['confirmation'], askedAt?: number): Promise<void>;
  /** How many addresses the team has asked since, and whether others have asked this one. */
  askedSince(sql: Sql, teamId: string, address: string, since: number): Promise<{ byTeam: number; byOthers: number }>;
}

export function createSubscriptionRows(sealed: SealedRequests): SubscriptionRows {
  const read = (row: SubscriptionRow) => toSubscription(row, sealed.open(row.email, row.teamId));

  return {
    async find(sql, number, isLocked = false) {
      const [row] = await sql<SubscriptionRow[]>`
        ${subscriptions(sql)} WHERE number = ${number} ${isLocked ? sql`FOR NO KEY UPDATE` : sql``}`;
      return row && read(row);
    },
    async findAll(sql, numbers) {
      const rows = await sql<SubscriptionRow[]>`${subscriptions(sql)} WHERE number = ANY(${numbers as number[]})`;
      return new Map(rows.map((row) => [row.number, read(row)]));
    },
    async subscribe(sql, teamId, { email, isTrusted }) {
      const address = sha256(email.toLowerCase());
      const first = newTrust(isTrusted);
      await sql`
        INSERT INTO mail_subscriptions (team_id, address, email, status, source)
        VALUES (${teamId}, ${address}, ${sealed.seal(email, teamId)}, ${first.status}, ${first.source})
        ON CONFLICT (team_id, address) DO NOTHING`;
      const [row] = await sql<SubscriptionRow[]>`
        ${subscriptions(sql)} WHERE team_id = ${teamId} AND address = ${address} FOR NO KEY UPDATE`;
      const changed = changedTrust(row!, isTrusted);
      if (changed)
        await sql`
          UPDATE mail_subscriptions SET status = ${changed.status}, source = ${changed.source} WHERE number = ${row!.number}`;
      return read({ ...row!, ...changed });
    },
    setStatus: async (sql, number, status) =>
      void (await sql`UPDATE mail_subscriptions SET status = ${status} WHERE number = ${number}`),
    async setConfirmation(sql, number, state, askedAt) {
      await sql`
        UPDATE mail_subscriptions SET confirmation = ${state ?? null}, asked_at = coalesce(${askedAt ?? null}, asked_at) WHERE number = ${number}`;
    },
    async askedSince(sql, teamId, address, since) {
      const [row] = await sql<{ byTeam: number; byOthers: number }[]>`
        SELECT
          (SELECT count(*) FROM mail_subscriptions WHERE team_id = ${teamId} AND asked_at > ${since}) AS "byTeam",
          (SELECT count(*) FROM mail_subscriptions
           WHERE address = ${address} AND asked_at > ${since} AND team_id <> ${teamId}) AS "byOthers"`;
      return row!;
    },
  };
}

const subscriptions = (sql: Sql) => sql`
  SELECT number, team_id AS "teamId", address, email, status, source, confirmation, asked_at AS "askedAt"
  FROM mail_subscriptions`;
