// Who gets e-mails about a monitor. Addresses that the operator does not vouch for are asked first, and only once.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { MonitorDefinition, RecipientSubscription } from '../../../contracts/monitor/monitor.ts';
import { writeConfirmationMail } from '../../../monitor/mail/confirmation-mail.ts';
import type { MailAction } from '../../../monitor/mail/mail-page.ts';
import type { MailStore, Subscription } from '../../../store/ports/deliveries/mail-store.ts';
import type { MonitorStore } from '../../../store/ports/runs/monitor-store.ts';
import type { Clock } from '../../../util/clock.ts';
import { uuidv7 } from '../../../util/ids.ts';
import type { MailTokens } from './mail-tokens.ts';

export interface MailDeps {
  mails: MailStore;
  monitors: Pick<MonitorStore, 'find' | 'pages'>;
  tokens: MailTokens;
  /** Absent if the operator has set no mail server. */
  sending?: {
    /** Whether the address gets mails without being asked. */
    isTrusted(email: string): boolean;
    /** Mails may be due. */
    wake(): void;
  };
  clock: Pick<Clock, 'now'>;
}

/** How many strangers a team may ask in a day. */
const CONFIRMATIONS_PER_DAY = 50;

export interface MailedMonitor {
  id: string;
  teamId: string;
  definition: Pick<MonitorDefinition, 'name' | 'notification' | 'baseUrl'>;
}

/** The recipients of a monitor, as answers show them. None if no e-mails are wanted or possible. */
export async function subscriptionsOf(deps: MailDeps, monitor: MailedMonitor): Promise<RecipientSubscription[]> {
  const { enabled = false, recipients = [] } = monitor.definition.notification?.email ?? {};
  if (!enabled || !deps.sending) return [];
  const found = await subscribe(deps, monitor);
  return found.map(({ status, source, confirmation }, index) => ({
    email: recipients[index]!,
    status,
    source,
    ...(source === 'opt_in' && { confirmationEmailSent: confirmation === 'queued' || confirmation === 'sent' }),
  }));
}

/** In the order of the recipients. Those who were never asked are asked now. */
export async function subscribe(deps: MailDeps, monitor: MailedMonitor): Promise<Subscription[]> {
  const { mails, sending } = deps;
  const { recipients = [] } = monitor.definition.notification?.email ?? {};
  const isTrusted = sending?.isTrusted ?? (() => false);
  const found = await mails.subscribe(
    monitor.teamId,
    recipients.map((email) => ({ email, isTrusted: isTrusted(email) })),
  );
  return Promise.all(found.map((subscription) => ask(deps, monitor, subscription)));
}

async function ask(deps: MailDeps, monitor: MailedMonitor, subscription: Subscription): Promise<Subscription> {
  const { status, confirmation, number } = subscription;
  if (status !== 'pending' || confirmation === 'queued' || confirmation === 'sent') return subscription;
  const now = deps.clock.now();
  const unsubscribeUrl = linkOf(deps, monitor, 'unsubscribe', number);
  const isQueued = await deps.mails.queueConfirmation(
    {
      key: `confirm ${number} ${now}`,
      messageId: uuidv7(now),
      subscription: number,
      content: {
        ...writeConfirmationMail(linkOf(deps, monitor, 'confirm', number), unsubscribeUrl),
        headers: unsubscribeHeaders(unsubscribeUrl),
      },
    },
    { perTeam: CONFIRMATIONS_PER_DAY },
    now,
  );
  if (!isQueued) return subscription;
  deps.sending?.wake();
  return { ...subscription, confirmation: 'queued' };
}

export const linkOf = (
  { tokens }: Pick<MailDeps, 'tokens'>,
  { id, definition }: MailedMonitor,
  action: MailAction,
  subscription: number,
): string => `${definition.baseUrl}/monitor/email/${action}?token=${tokens.recipient(action, subscription, id)}`;

/** Lets mail programs offer a button (RFC 8058). */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

export interface MailAnswer {
  success: true;
  result: 'confirmed' | 'already_confirmed' | 'unsubscribed' | 'already_unsubscribed';
  email: string;
  monitorName: string;
}

const STATES: Readonly<Record<MailAction, 'confirmed' | 'unsubscribed'>> = {
  confirm: 'confirmed',
  unsubscribe: 'unsubscribed',
};

/** The owner of an address agrees, or wants no more. */
export async function answerMail(deps: MailDeps, action: MailAction, token: string): Promise<MailAnswer> {
  const { subscription, monitorName } = await readToken(deps, action, token);
  const state = STATES[action];
  const before = await deps.mails.setStatus(subscription.number, state);
  const result = before === state ? (`already_${state}` as const) : state;
  return { success: true, result, email: subscription.email, monitorName };
}

/** Throws invalid_token, or not_found if what it is about is gone. */
export async function readToken(
  { mails, monitors, tokens, clock }: MailDeps,
  action: MailAction,
  token: string,
): Promise<{ subscription: Subscription; monitorName: string }> {
  const read = tokens.readRecipient(action, token);
  if (!read) throw new ServiceError('invalid_token');
  const subscription = await mails.find(read.subscription);
  if (!subscription || subscription.email === '') throw new ServiceError('not_found');
  // Its mails may still be around when a monitor has been deleted.
  const monitor = await monitors.find(read.monitorId, subscription.teamId, clock.now());
  return { subscription, monitorName: monitor?.definition.name ?? '' };
}
