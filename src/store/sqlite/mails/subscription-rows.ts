// SQL for the recipients of e-mails.
import { sha256 } from '../../../util/hash.ts';
import type { Connection } from '../../../util/sqlite.ts';
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import type { Subscription } from '../../mail-store.ts';
import {
  changedTrust,
  type FoundSubscription,
  newTrust,
  type SubscriptionRow,
  toSubscription,
} from '../../records/deliveries/mail-record.ts';

export interface SubscriptionRows {
  find(number: number): FoundSubscription | undefined;
  /** Call inside a transaction. */
  subscribe(teamId: string, recipient: { email: string; isTrusted: boolean }): FoundSubscription;
  setStatus(number: number, status: Subscription['status']): void;
  setConfirmation(number: number, state: Subscription['confirmation'], askedAt?: number): void;
  /** How many addresses the team has asked since, and whether others have asked this one. */
  askedSince(teamId: string, address: string, since: number): { byTeam: number; byOthers: number };
}

const COLUMNS = 'number, team_id AS teamId, address, email, status, source, confirmation, asked_at AS askedAt';

export function createSubscriptionRows(connection: Connection, sealed: SealedRequests): SubscriptionRows {
  const sql = {
    find: connection.prepare<SubscriptionRow>(`SELECT ${COLUMNS} FROM mail_subscriptions WHERE number = ?`),
    findAddress: connection.prepare<SubscriptionRow>(
      `SELECT ${COLUMNS} FROM mail_subscriptions WHERE team_id = ? AND address = ?`,
    ),
    add: connection.prepare(
      'INSERT INTO mail_subscriptions (team_id, address, email, status, source) VALUES (?, ?, ?, ?, ?)',
    ),
    setTrust: connection.prepare('UPDATE mail_subscriptions SET status = ?, source = ? WHERE number = ?'),
    setStatus: connection.prepare('UPDATE mail_subscriptions SET status = ? WHERE number = ?'),
    setConfirmation: connection.prepare(
      'UPDATE mail_subscriptions SET confirmation = ?, asked_at = coalesce(?, asked_at) WHERE number = ?',
    ),
    countByTeam: connection.prepare<{ count: number }>(
      'SELECT count(*) AS count FROM mail_subscriptions WHERE team_id = ? AND asked_at > ?',
    ),
    countByOthers: connection.prepare<{ count: number }>(
      'SELECT count(*) AS count FROM mail_subscriptions WHERE address = ? AND asked_at > ? AND team_id <> ?',
    ),
  };

  const read = (row: SubscriptionRow) => toSubscription(row, sealed.open(row.email, row.teamId));
  const find = (number: number) => {
    const row = sql.find.get(number);
    return row && read(row);
  };

  return {
    find,
    subscribe(teamId, { email, isTrusted }) {
      const address = sha256(email.toLowerCase());
      const known = sql.findAddress.get(teamId, address);
      const changed = known ? changedTrust(known, isTrusted) : newTrust(isTrusted);
      if (!known) sql.add.run(teamId, address, sealed.seal(email, teamId), changed!.status, changed!.source);
      else if (changed) sql.setTrust.run(changed.status, changed.source, known.number);
      return read(sql.findAddress.get(teamId, address)!);
    },
    setStatus: (number, status) => void sql.setStatus.run(status, number),
    setConfirmation: (number, state, askedAt) => void sql.setConfirmation.run(state ?? null, askedAt ?? null, number),
    askedSince: (teamId, address, since) => ({
      byTeam: sql.countByTeam.get(teamId, since)!.count,
      byOthers: sql.countByOthers.get(address, since, teamId)!.count,
    }),
  };
}
