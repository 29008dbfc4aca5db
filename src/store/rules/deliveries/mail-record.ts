// What is stored of e-mails and their recipients, for how long, and when somebody may be written to.
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { Subscription } from '../../ports/deliveries/mail-store.ts';

const DAY_MS = 86_400_000;
/** A mail in progress is not handed out again before this time. After a crash, it is sent again then. */
export const SENDING_MS = 300_000;
/** Longer than anything can try to queue the same mail again. */
export const REMEMBERED_MS = 30 * DAY_MS;
/** An address is asked once in this time. */
export const ASKED_MS = DAY_MS;

export interface MailRow {
  id: number;
  messageId: string;
  subscription: number;
  isConfirmation: 0 | 1 | boolean;
  content: SealedText;
  attempts: number;
}

export interface SubscriptionRow extends Omit<Subscription, 'email' | 'confirmation'> {
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

/** Opened: undefined if it was sealed with another secret, so there is nobody to write to. */
export function toSubscription({ confirmation, askedAt, ...row }: SubscriptionRow, opened: unknown): FoundSubscription {
  return {
    ...row,
    email: String(opened ?? ''),
    ...(confirmation !== null && { confirmation }),
    ...(askedAt !== null && { askedAt }),
  };
}

/** How a recipient begins. */
export const newTrust = (isTrusted: boolean): Pick<Subscription, 'status' | 'source'> =>
  isTrusted ? { status: 'confirmed', source: 'team' } : { status: 'pending', source: 'opt_in' };

/** Trust may be given and taken back by the operator. An owner who has unsubscribed stays so. Undefined: nothing changes. */
export function changedTrust(
  { status, source }: Pick<Subscription, 'status' | 'source'>,
  isTrusted: boolean,
): Pick<Subscription, 'status' | 'source'> | undefined {
  if (isTrusted === (source === 'team')) return undefined;
  const next = newTrust(isTrusted);
  const isSettled = status === 'unsubscribed' || (isTrusted && status === 'confirmed');
  return isSettled ? { ...next, status } : next;
}

/** Whether it may still be sent to this recipient. */
export const isWanted = ({ isConfirmation }: MailRow, { status, email }: Subscription): boolean =>
  email !== '' && status === (isConfirmation ? 'pending' : 'confirmed');
