// SQL for e-mails of monitors: each is queued once, and leased to one process that sends it, until it was accepted or given up.
import { randomUUID } from 'node:crypto';
import type { DeliveryResult } from '../../delivery-store.ts';
import type { SealedRequests, SealedText } from '../../encoding/sealed-requests.ts';
import type { MailContent, MailStore, NewMail } from '../../mail-store.ts';
import {
  ASKED_MS,
  type FoundSubscription,
  isWanted,
  type MailRow,
  REMEMBERED_MS,
  SENDING_MS,
} from '../../records/deliveries/mail-record.ts';
import type { Remover } from '../../sql/database.ts';
import type { Database, Sql } from '../database/database.ts';
import { lockByName } from '../database/lock-by-name.ts';
import { createSubscriptionRows } from './subscription-rows.ts';

export interface MailRows extends MailStore {
  removeDone: Remover;
  /** This process ends: what it was given and has not settled can be handed out at once. */
  release(): Promise<void>;
}

export function createMailRows({ sql, transaction }: Database, sealed: SealedRequests): MailRows {
  const subscriptions = createSubscriptionRows(sealed);
  /** Only this process can settle what it was given, so that one that was given up for dead changes nothing. */
  const owner = randomUUID();

  /** Nothing if the recipient has unsubscribed since, or if it was sealed with another secret. */
  const prepare = async (mail: MailRow, recipient: FoundSubscription) => {
    const { id, messageId, attempts } = mail;
    const content = (await sealed.openLarge(mail.content, recipient.teamId)) as MailContent | undefined;
    return content && isWanted(mail, recipient) ? { id, messageId, to: recipient.email, content, attempts } : undefined;
  };

  return {
    subscribe: (teamId, recipients) =>
      transaction(async (inside) => {
        // Two requests may name the same addresses in another order.
        await lockByName(inside, 'subscriptions', teamId);
        const found: FoundSubscription[] = [];
        for (const recipient of recipients) found.push(await subscriptions.subscribe(inside, teamId, recipient));
        return found;
      }),
    find: (number) => subscriptions.find(sql, number),
    setStatus: (number, status) =>
      transaction(async (inside) => {
        const { status: before } = (await subscriptions.find(inside, number, true))!;
        await subscriptions.setStatus(inside, number, status);
        return before;
      }),
    async queueConfirmation(mail, { perTeam }, now) {
      const known = await subscriptions.find(sql, mail.subscription);
      if (!known) return false;
      const content = await sealed.sealLarge(mail.content, known.teamId);
      return transaction(async (inside) => {
        // What others have asked counts, too, so one process asks at a time.
        await lockByName(inside, 'confirmations');
        const found = await subscriptions.find(inside, mail.subscription, true);
        if (found?.status !== 'pending') return false;
        const { teamId, address, confirmation, askedAt = 0 } = found;
        if (confirmation === 'queued' || confirmation === 'sent') return true;
        const { byTeam, byOthers } = await subscriptions.askedSince(inside, teamId, address, now - ASKED_MS);
        if (askedAt > now - ASKED_MS || byOthers > 0 || byTeam >= perTeam) return false;
        await add(inside, mail, content, true, now);
        await subscriptions.setConfirmation(inside, mail.subscription, 'queued', now);
        return true;
      });
    },
    async queue(mails, now) {
      const known = await subscriptions.findAll(
        sql,
        mails.map(({ subscription }) => subscription),
      );
      const contents = await Promise.all(
        mails.map(({ subscription, content }) => {
          const found = known.get(subscription);
          return found?.status === 'confirmed' ? sealed.sealLarge(content, found.teamId) : undefined;
        }),
      );
      return transaction(async (inside) => {
        for (const [index, mail] of mails.entries()) {
          const content = contents[index];
          if (content !== undefined) await add(inside, mail, content, false, now);
        }
        const keys = mails.map(({ key }) => key);
        const queued = await inside<{ key: string }[]>`SELECT key FROM mails WHERE key = ANY(${keys})`;
        const isQueued = new Set(queued.map(({ key }) => key));
        return keys.filter((key) => isQueued.has(key)).length;
      });
    },
    async due(now, limit) {
      const rows = await sql<MailRow[]>`
        WITH due AS MATERIALIZED (
          SELECT id, next_at FROM mails WHERE next_at <= ${now} AND (lease_until IS NULL OR lease_until <= ${now})
          ORDER BY next_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED),
        leased AS (
          UPDATE mails SET owner = ${owner}, lease_until = ${now + SENDING_MS} FROM due WHERE mails.id = due.id
          RETURNING mails.id, message_id AS "messageId", subscription, is_confirmation AS "isConfirmation", content, attempts,
            due.next_at)
        SELECT * FROM leased ORDER BY next_at, id`;
      const recipients = await subscriptions.findAll(
        sql,
        rows.map(({ subscription }) => subscription),
      );
      const prepared = await Promise.all(rows.map((row) => prepare(row, recipients.get(row.subscription)!)));
      const unwanted = rows.filter((_, index) => prepared[index] === undefined).map(({ id }) => id);
      if (unwanted.length > 0)
        await sql`UPDATE mails SET ${done(sql)} WHERE id = ANY(${unwanted}) AND owner = ${owner}`;
      return prepared.filter((mail) => mail !== undefined);
    },
    settle: (id, result) => settle(sql, id, owner, result),
    async nextAt() {
      const [row] = await sql<{ at: number | null }[]>`
        SELECT min(greatest(next_at, lease_until)) AS at FROM mails WHERE next_at IS NOT NULL`;
      return row!.at ?? undefined;
    },
    release: async () =>
      void (await sql`UPDATE mails SET owner = NULL, lease_until = NULL WHERE next_at IS NOT NULL AND owner = ${owner}`),
    async removeDone(now, limit) {
      const removed = await sql`
        DELETE FROM mails WHERE id IN (
          SELECT id FROM mails WHERE next_at IS NULL AND created_at <= ${now - REMEMBERED_MS} LIMIT ${limit})`;
      return removed.count;
    },
  };
}

async function settle(sql: Sql, id: number, owner: string, result: DeliveryResult): Promise<void> {
  const isOwn = sql`id = ${id} AND next_at IS NOT NULL AND owner = ${owner}`;
  if (typeof result === 'object') {
    await sql`
      UPDATE mails SET next_at = ${result.retryAt}, attempts = attempts + 1, owner = NULL, lease_until = NULL WHERE ${isOwn}`;
    return;
  }
  const state = result === 'delivered' ? 'sent' : 'failed';
  await sql`
    WITH settled AS (UPDATE mails SET ${done(sql)} WHERE ${isOwn} RETURNING subscription, is_confirmation)
    UPDATE mail_subscriptions SET confirmation = ${state} FROM settled WHERE number = subscription AND is_confirmation`;
}

const done = (sql: Sql) => sql`next_at = NULL, content = NULL, owner = NULL, lease_until = NULL`;

const add = (sql: Sql, mail: NewMail, content: SealedText, isConfirmation: boolean, now: number) => sql`
  INSERT INTO mails (key, message_id, subscription, is_confirmation, content, next_at, created_at)
  VALUES (${mail.key}, ${mail.messageId}, ${mail.subscription}, ${isConfirmation}, ${content}, ${now}, ${now})
  ON CONFLICT (key) DO NOTHING`;
