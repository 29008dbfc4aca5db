// SQL for e-mails of monitors: each is queued once, and sent until it was accepted or given up.
import type { Connection } from '../../../util/sqlite.ts';
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import type { MailContent, MailStore, NewMail } from '../../mail-store.ts';
import { ASKED_MS, isWanted, type MailRow, REMEMBERED_MS, SENDING_MS } from '../../records/deliveries/mail-record.ts';
import type { Remover } from '../../sql/database.ts';
import type { Served } from '../served.ts';
import { createSubscriptionRows } from './subscription-rows.ts';

export interface MailRows extends Served<MailStore> {
  /** Called at the start of the only process of a data folder: what the last process had in progress is due now. */
  releaseAll(): void;
  removeDone: Remover;
}

export function createMailRows(connection: Connection, sealed: SealedRequests): MailRows {
  const sql = prepareAll(connection);
  const subscriptions = createSubscriptionRows(connection, sealed);

  const add = (mail: NewMail, teamId: string, isConfirmation: boolean, now: number) => {
    const content = sealed.seal(mail.content, teamId);
    sql.add.run(mail.key, mail.messageId, mail.subscription, Number(isConfirmation), content, now, now);
  };

  /** Nothing if the recipient has unsubscribed since, or if it was sealed with another secret. */
  const prepare = (mail: MailRow) => {
    const { id, messageId, content, attempts } = mail;
    const recipient = subscriptions.find(mail.subscription)!;
    const opened = sealed.open(content, recipient.teamId) as MailContent | undefined;
    if (opened && isWanted(mail, recipient)) return [{ id, messageId, to: recipient.email, content: opened, attempts }];
    sql.finish.run(id);
    return [];
  };

  return {
    subscribe: (teamId, recipients) =>
      connection.transaction(() => recipients.map((recipient) => subscriptions.subscribe(teamId, recipient))),
    find: subscriptions.find,
    setStatus: (number, status) =>
      connection.transaction(() => {
        const before = subscriptions.find(number)!.status;
        subscriptions.setStatus(number, status);
        return before;
      }),
    queueConfirmation: (mail, { perTeam }, now) =>
      connection.transaction(() => {
        const found = subscriptions.find(mail.subscription);
        if (found?.status !== 'pending') return false;
        const { teamId, address, confirmation, askedAt = 0 } = found;
        if (confirmation === 'queued' || confirmation === 'sent') return true;
        const { byTeam, byOthers } = subscriptions.askedSince(teamId, address, now - ASKED_MS);
        if (askedAt > now - ASKED_MS || byOthers > 0 || byTeam >= perTeam) return false;
        add(mail, teamId, true, now);
        subscriptions.setConfirmation(mail.subscription, 'queued', now);
        return true;
      }),
    queue: (mails, now) =>
      connection.transaction(() => {
        for (const mail of mails) {
          const found = subscriptions.find(mail.subscription);
          if (found?.status === 'confirmed') add(mail, found.teamId, false, now);
        }
        return mails.filter(({ key }) => sql.hasKey.get(key)).length;
      }),
    due(now, limit) {
      const rows = sql.due.all(now, limit);
      return connection.transaction(() => {
        for (const { id } of rows) sql.postpone.run(now + SENDING_MS, id);
        return rows.flatMap(prepare);
      });
    },
    settle: (id, result) =>
      connection.transaction(() => {
        const mail = sql.find.get(id);
        if (!mail) return;
        if (typeof result === 'object') sql.retry.run(result.retryAt, id);
        else {
          sql.finish.run(id);
          const state = result === 'delivered' ? 'sent' : 'failed';
          if (mail.isConfirmation) subscriptions.setConfirmation(mail.subscription, state);
        }
      }),
    nextAt: () => sql.nextAt.get()?.nextAt ?? undefined,
    releaseAll: () => void sql.releaseFirst.run(),
    removeDone: (now, limit) => Number(sql.removeDone.run(now - REMEMBERED_MS, limit).changes),
  };
}

const COLUMNS = 'id, message_id AS messageId, subscription, is_confirmation AS isConfirmation, content, attempts';

const prepareAll = (connection: Connection) => ({
  add: connection.prepare(
    `INSERT OR IGNORE INTO mails (key, message_id, subscription, is_confirmation, content, next_at, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ),
  hasKey: connection.prepare('SELECT 1 FROM mails WHERE key = ?'),
  find: connection.prepare<MailRow>(`SELECT ${COLUMNS} FROM mails WHERE id = ? AND next_at IS NOT NULL`),
  due: connection.prepare<MailRow>(`SELECT ${COLUMNS} FROM mails WHERE next_at <= ? ORDER BY next_at, id LIMIT ?`),
  nextAt: connection.prepare<{ nextAt: number | null }>(
    'SELECT min(next_at) AS nextAt FROM mails WHERE next_at IS NOT NULL',
  ),
  // Without an attempt, a mail was postponed by SENDING_MS at most, so the reset skips no pause.
  releaseFirst: connection.prepare('UPDATE mails SET next_at = 0 WHERE next_at IS NOT NULL AND attempts = 0'),
  postpone: connection.prepare('UPDATE mails SET next_at = ? WHERE id = ?'),
  retry: connection.prepare('UPDATE mails SET next_at = ?, attempts = attempts + 1 WHERE id = ?'),
  finish: connection.prepare('UPDATE mails SET next_at = NULL, content = NULL WHERE id = ?'),
  removeDone: connection.prepare(
    'DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE next_at IS NULL AND created_at <= ? LIMIT ?)',
  ),
});
