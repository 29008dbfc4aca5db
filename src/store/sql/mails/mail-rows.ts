// SQL for e-mails of monitors: each is queued once, and leased to one process that sends it, until it was accepted or given up.
import { randomUUID } from 'node:crypto';
import { sha256 } from '../../../util/hash.ts';
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { MailContent, MailStore, NewMail } from '../../ports/deliveries/mail-store.ts';
import {
  ASKED_MS,
  type FoundSubscription,
  isWanted,
  type MailRow,
  REMEMBERED_MS,
  SENDING_MS,
  type SubscriptionRow,
  toSubscription,
} from '../../rules/deliveries/mail-record.ts';
import { type BooleanColumn, type Database, type Remover, sql, type Tx } from '../database.ts';
import type { Sealer } from '../sealer.ts';
import {
  countAsked,
  findSubscription,
  findSubscriptions,
  lockSubscription,
  noteAsked,
  noteConfirmation,
  setSubscriptionStatus,
  subscribe,
} from './subscription-rows.ts';

export interface MailRows extends MailStore {
  removeDone: Remover;
  /** This process ends: what it was given and has not settled can be handed out at once. */
  release(): Promise<void>;
  /** For the start of the only process: all earlier ones are dead. */
  releaseAll(): Promise<void>;
}

interface DueMail extends MailRow {
  nextAt: number;
}

export function createMailRows(database: Database, sealed: Sealer): MailRows {
  /** Only this process can settle what it was given, so that one that was given up for dead changes nothing. */
  const owner = randomUUID();

  /** Nothing if the recipient has unsubscribed since, or if it was sealed with another secret. */
  const prepare = async (mail: MailRow, subscription: SubscriptionRow) => {
    const { id, messageId, attempts } = mail;
    const recipient = await read(sealed, subscription);
    const content = (await sealed.open(mail.content, recipient.teamId)) as MailContent | undefined;
    return content && isWanted(mail, recipient) ? { id, messageId, to: recipient.email, content, attempts } : undefined;
  };

  return {
    ...createRecipients(database, sealed),
    async queueConfirmation(mail, { perTeam }, now) {
      const known = await findSubscription(database, mail.subscription);
      if (!known) return false;
      const content = await sealed.seal(mail.content, known.teamId);
      return database.transaction(async (tx) => {
        // Requests of other processes count, too, so only one process sends requests at a time.
        await tx.lock('confirmations');
        const found = await lockSubscription(tx, mail.subscription);
        if (found?.status !== 'pending') return false;
        if (found.confirmation === 'queued' || found.confirmation === 'sent') return true;
        const since = now - ASKED_MS;
        const { byTeam, byOthers } = await countAsked(tx, found, since);
        if ((found.askedAt ?? 0) > since || byOthers > 0 || byTeam >= perTeam) return false;
        await add(tx, mail, content, true, now);
        await noteAsked(tx, mail.subscription, now);
        return true;
      });
    },
    async queue(mails, now) {
      const known = await findSubscriptions(
        database,
        mails.map(({ subscription }) => subscription),
      );
      const contents = await Promise.all(
        mails.map(({ subscription, content }) => {
          const found = known.get(subscription);
          return found?.status === 'confirmed' ? sealed.seal(content, found.teamId) : undefined;
        }),
      );
      return database.transaction(async (tx) => {
        for (const [index, mail] of mails.entries()) {
          const content = contents[index];
          if (content !== undefined) await add(tx, mail, content, false, now);
        }
        const keys = mails.map(({ key }) => key);
        const queued = await tx.rows<{ key: string }>`SELECT key FROM mails WHERE key = ANY(${keys}::text[])`;
        const isQueued = new Set(queued.map(({ key }) => key));
        return keys.filter((key) => isQueued.has(key)).length;
      });
    },
    async due(now, limit) {
      const rows = await database.rows<DueMail>`
        WITH due AS MATERIALIZED (
          SELECT id FROM mails WHERE next_at <= ${now} AND (lease_until IS NULL OR lease_until <= ${now})
          ORDER BY next_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
        UPDATE mails SET owner = ${owner}, lease_until = ${now + SENDING_MS} WHERE id IN (SELECT id FROM due)
        RETURNING id, message_id AS "messageId", subscription, is_confirmation AS "isConfirmation", content, attempts,
          next_at AS "nextAt"`;
      rows.sort((a, b) => a.nextAt - b.nextAt || a.id - b.id);
      const recipients = await findSubscriptions(
        database,
        rows.map(({ subscription }) => subscription),
      );
      const prepared = await Promise.all(rows.map((row) => prepare(row, recipients.get(row.subscription)!)));
      const unwanted = rows.filter((_, index) => prepared[index] === undefined).map(({ id }) => id);
      if (unwanted.length > 0)
        await database.run`UPDATE mails SET ${DONE} WHERE id = ANY(${unwanted}::bigint[]) AND owner = ${owner}`;
      return prepared.filter((mail) => mail !== undefined);
    },
    async settle(id, result) {
      const isOwn = sql`id = ${id} AND next_at IS NOT NULL AND owner = ${owner}`;
      if (typeof result === 'object') {
        await database.run`
          UPDATE mails SET next_at = ${result.retryAt}, attempts = attempts + 1, owner = NULL, lease_until = NULL
          WHERE ${isOwn}`;
        return;
      }
      await database.transaction(async (tx) => {
        const mail = await tx.one<{ subscription: number; isConfirmation: BooleanColumn }>`
          UPDATE mails SET ${DONE} WHERE ${isOwn} RETURNING subscription, is_confirmation AS "isConfirmation"`;
        const state = result === 'delivered' ? 'sent' : 'failed';
        if (mail?.isConfirmation) await noteConfirmation(tx, mail.subscription, state);
      });
    },
    async nextAt() {
      const next = await database.one<{ at: number | null }>`
        SELECT min(greatest(next_at, coalesce(lease_until, 0))) AS at FROM mails WHERE next_at IS NOT NULL`;
      return next!.at ?? undefined;
    },
    async release() {
      await database.run`
        UPDATE mails SET owner = NULL, lease_until = NULL WHERE next_at IS NOT NULL AND owner = ${owner}`;
    },
    async releaseAll() {
      await database.run`
        UPDATE mails SET owner = NULL, lease_until = NULL WHERE next_at IS NOT NULL AND lease_until IS NOT NULL`;
    },
    removeDone: (now, limit) => database.run`
      DELETE FROM mails WHERE id IN (
        SELECT id FROM mails WHERE next_at IS NULL AND created_at <= ${now - REMEMBERED_MS} LIMIT ${limit})`,
  };
}

type Recipients = Pick<MailStore, 'subscribe' | 'find' | 'setStatus'>;

const createRecipients = (database: Database, sealed: Sealer): Recipients => ({
  async subscribe(teamId, recipients) {
    const sealedRecipients = await Promise.all(
      recipients.map(async ({ email, isTrusted }) => ({
        teamId,
        address: sha256(email.toLowerCase()),
        email: await sealed.seal(email, teamId),
        isTrusted,
      })),
    );
    const rows = await database.transaction(async (tx) => {
      // Two requests may name the same addresses in another order.
      await tx.lock('subscriptions', teamId);
      const found: SubscriptionRow[] = [];
      for (const recipient of sealedRecipients) found.push(await subscribe(tx, recipient));
      return found;
    });
    return Promise.all(rows.map((row) => read(sealed, row)));
  },
  async find(number) {
    const row = await findSubscription(database, number);
    return row && read(sealed, row);
  },
  setStatus: (number, status) =>
    database.transaction(async (tx) => {
      const { status: before } = (await lockSubscription(tx, number))!;
      await setSubscriptionStatus(tx, number, status);
      return before;
    }),
});

const read = async (sealed: Sealer, row: SubscriptionRow): Promise<FoundSubscription> =>
  toSubscription(row, await sealed.open(row.email, row.teamId));

const DONE = sql`next_at = NULL, content = NULL, owner = NULL, lease_until = NULL`;

async function add(tx: Tx, mail: NewMail, content: SealedText, isConfirmation: boolean, now: number): Promise<void> {
  await tx.run`
    INSERT INTO mails (key, message_id, subscription, is_confirmation, content, next_at, created_at)
    VALUES (${mail.key}, ${mail.messageId}, ${mail.subscription}, ${isConfirmation}, ${content}, ${now}, ${now})
    ON CONFLICT (key) DO NOTHING`;
}
