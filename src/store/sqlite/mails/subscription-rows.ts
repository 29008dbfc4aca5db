// SQL for the recipients of e-mails.
import { sha256 } from '../../../util/hash.ts';
import type { Connection } from '../../../util/sqlite.ts';
import type { Subscription } from '../../mail-store.ts';
import type { SealedRequests, SealedText } from '../sealed-requests.ts';

interface Row extends Omit<Subscription, 'email' | 'confirmation'> {
  address: string;
  email: SealedText;
  confirmation: Subscription['confirmation'] | null;
  askedAt: number | null;
}

export interface FoundSubscription extends Subscription {
  /** Hash of the address. */
  address: string;
  askedAt?: number;
}

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
    find: connection.prepare<Row>(`SELECT ${COLUMNS} FROM mail_subscriptions WHERE number = ?`),
    findAddress: connection.prepare<Row>(`SELECT ${COLUMNS} FROM mail_subscriptions WHERE team_id = ? AND address = ?`),
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

  const read = ({ email, confirmation, askedAt, ...row }: Row): FoundSubscription => ({
    ...row,
    // Sealed with another secret: there is nobody to write to.
    email: String(sealed.open(email, row.teamId) ?? ''),
    ...(confirmation !== null && { confirmation }),
    ...(askedAt !== null && { askedAt }),
  });
  const find = (number: number) => {
    const row = sql.find.get(number);
    return row && read(row);
  };

  /** Trust may be given and taken back by the operator. An owner who has unsubscribed stays so. */
  const updateTrust = ({ number, status, source }: FoundSubscription, isTrusted: boolean): void => {
    if (isTrusted === (source === 'team')) return;
    const next = isTrusted ? 'confirmed' : 'pending';
    const isSettled = status === 'unsubscribed' || (isTrusted && status === 'confirmed');
    sql.setTrust.run(isSettled ? status : next, isTrusted ? 'team' : 'opt_in', number);
  };

  return {
    find,
    subscribe(teamId, { email, isTrusted }) {
      const address = sha256(email.toLowerCase());
      const known = sql.findAddress.get(teamId, address);
      if (known) updateTrust(read(known), isTrusted);
      else {
        const [status, source] = isTrusted ? ['confirmed', 'team'] : ['pending', 'opt_in'];
        sql.add.run(teamId, address, sealed.seal(email, teamId), status!, source!);
      }
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
