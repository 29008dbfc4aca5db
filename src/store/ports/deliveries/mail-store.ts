// Port: who gets e-mails of monitors, and the e-mails that are still to be sent.
import type { DeliveryResult } from './delivery-store.ts';

/** A recipient of a team. Nobody but the owner of the address can confirm or end it. */
export interface Subscription {
  number: number;
  teamId: string;
  email: string;
  status: 'pending' | 'confirmed' | 'unsubscribed';
  /** `team`: the operator vouches for the address; `opt_in`: its owner has to confirm. */
  source: 'team' | 'opt_in';
  /** The mail that asks its owner; absent if none was queued. */
  confirmation?: 'queued' | 'sent' | 'failed';
}

export interface MailContent {
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

export interface NewMail {
  /** A second mail with the same key is ignored, also when the first one has been sent. */
  key: string;
  messageId: string;
  subscription: number;
  content: MailContent;
}

/** One that is to be sent now. */
export interface OutgoingMail {
  id: number;
  messageId: string;
  to: string;
  content: MailContent;
  attempts: number;
}

export interface ConfirmationLimits {
  /** How many confirmations a team may cause in a day. */
  perTeam: number;
}

export interface MailStore {
  /** The recipients with these addresses, in their order. New ones are added; a vouched-for one is confirmed at once. */
  subscribe(teamId: string, recipients: readonly { email: string; isTrusted: boolean }[]): Promise<Subscription[]>;
  find(number: number): Promise<Subscription | undefined>;
  /** Returns the status that it had. */
  setStatus(number: number, status: 'confirmed' | 'unsubscribed'): Promise<Subscription['status']>;
  /**
   * Queues the mail that asks the owner of a pending address, unless that was asked before, another team has asked it within
   * a day, or the team has asked too many. Returns whether there is or was such a mail.
   */
  queueConfirmation(mail: NewMail, limits: ConfirmationLimits, now: number): Promise<boolean>;
  /** Mails whose recipient is not confirmed are ignored. Returns how many have been queued by now. */
  queue(mails: readonly NewMail[], now: number): Promise<number>;
  due(now: number, limit: number): Promise<OutgoingMail[]>;
  settle(id: number, result: DeliveryResult, now: number): Promise<void>;
  nextAt(): Promise<number | undefined>;
}
