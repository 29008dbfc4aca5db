// SQL for the recipients of e-mails. Their addresses stay sealed here.
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { Subscription } from '../../ports/deliveries/mail-store.ts';
import { changedTrust, newTrust, type SubscriptionRow } from '../../rules/deliveries/mail-record.ts';
import { type Queries, sql, type Tx } from '../database.ts';

export interface NewSubscription {
  teamId: string;
  /** Hash of the address. */
  address: string;
  email: SealedText;
  isTrusted: boolean;
}

export async function findSubscription(queries: Queries, number: number): Promise<SubscriptionRow | undefined> {
  return queries.one<SubscriptionRow>`${SUBSCRIPTIONS} WHERE number = ${number}`;
}

export async function findSubscriptions(
  queries: Queries,
  numbers: readonly number[],
): Promise<Map<number, SubscriptionRow>> {
  const rows = await queries.rows<SubscriptionRow>`${SUBSCRIPTIONS} WHERE number = ANY(${numbers}::bigint[])`;
  return new Map(rows.map((row) => [row.number, row]));
}

/** Nobody else changes it until the end of the transaction. */
export async function lockSubscription(tx: Tx, number: number): Promise<SubscriptionRow | undefined> {
  return tx.one<SubscriptionRow>`${SUBSCRIPTIONS} WHERE number = ${number} FOR NO KEY UPDATE`;
}

export async function subscribe(
  tx: Tx,
  { teamId, address, email, isTrusted }: NewSubscription,
): Promise<SubscriptionRow> {
  const first = newTrust(isTrusted);
  await tx.run`
    INSERT INTO mail_subscriptions (team_id, address, email, status, source)
    VALUES (${teamId}, ${address}, ${email}, ${first.status}, ${first.source})
    ON CONFLICT (team_id, address) DO NOTHING`;
  const row = await tx.one<SubscriptionRow>`
    ${SUBSCRIPTIONS} WHERE team_id = ${teamId} AND address = ${address} FOR NO KEY UPDATE`;
  const changed = changedTrust(row!, isTrusted);
  if (changed)
    await tx.run`
      UPDATE mail_subscriptions SET status = ${changed.status}, source = ${changed.source} WHERE number = ${row!.number}`;
  return { ...row!, ...changed };
}

export async function setSubscriptionStatus(tx: Tx, number: number, status: Subscription['status']): Promise<void> {
  await tx.run`UPDATE mail_subscriptions SET status = ${status} WHERE number = ${number}`;
}

export async function noteConfirmation(
  tx: Tx,
  number: number,
  state: NonNullable<Subscription['confirmation']>,
): Promise<void> {
  await tx.run`UPDATE mail_subscriptions SET confirmation = ${state} WHERE number = ${number}`;
}

/** The mail that asks the owner of the address is queued now. */
export async function noteAsked(tx: Tx, number: number, now: number): Promise<void> {
  await tx.run`UPDATE mail_subscriptions SET confirmation = 'queued', asked_at = ${now} WHERE number = ${number}`;
}

/** How many addresses the team has asked since, and whether others have asked this one. */
export async function countAsked(
  tx: Tx,
  { teamId, address }: Pick<SubscriptionRow, 'teamId' | 'address'>,
  since: number,
): Promise<{ byTeam: number; byOthers: number }> {
  const counts = await tx.one<{ byTeam: number; byOthers: number }>`
    SELECT
      (SELECT count(*) FROM mail_subscriptions WHERE team_id = ${teamId} AND asked_at > ${since}) AS "byTeam",
      (SELECT count(*) FROM mail_subscriptions
       WHERE address = ${address} AND asked_at > ${since} AND team_id <> ${teamId}) AS "byOthers"`;
  return counts!;
}

const SUBSCRIPTIONS = sql`
  SELECT number, team_id AS "teamId", address, email, status, source, confirmation, asked_at AS "askedAt"
  FROM mail_subscriptions`;
