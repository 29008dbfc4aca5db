// The e-mails of monitors: the loop that sends them, and what their operations need.
import type { Config } from '../../config/settings.ts';
import { createDeliveryLoop } from '../../jobs/deliveries/delivery-loop.ts';
import { createSmtpCall } from '../../jobs/mail/smtp-call.ts';
import type { Egress } from '../../net/egress.ts';
import { createMailTokens } from '../../operations/monitor/mail/mail-tokens.ts';
import type { MailDeps } from '../../operations/monitor/mail/subscriptions.ts';
import type { Log } from '../../runtime/log.ts';
import type { OutgoingMail } from '../../store/ports/deliveries/mail-store.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';
import { type Duty, shareLoop } from '../sharing/duty.ts';

interface Parts {
  store: Pick<Store, 'mails' | 'monitors' | 'health' | 'wakeUps'>;
  egress: Pick<Egress, 'connect'>;
  secret: Uint8Array;
  duty: Duty;
  clock: Clock;
  log: Log;
}

const MAX_AT_ONCE = 2;
const MINUTE_MS = 60_000;
/** Mail servers are down for hours now and then. */
const RETRY_MS = [1, 5, 15, 60, 240, 720].map((minutes) => minutes * MINUTE_MS);

export function composeMail(config: Pick<Config, 'smtp' | 'smtpFrom' | 'smtpTrusted'>, parts: Parts) {
  const { store, secret, duty, clock } = parts;
  const loop = createMailLoop(config, parts);
  const wake = loop ? shareLoop(store.wakeUps, { topic: 'mails', duty, wake: loop.wake }) : () => {};
  const mail: MailDeps = {
    mails: store.mails,
    monitors: store.monitors,
    tokens: createMailTokens(secret),
    ...(loop && { sending: { isTrusted: config.smtpTrusted.has, wake } }),
    clock,
  };
  return { mail, resume: duty === 'all' ? wake : () => {}, stop: async () => loop?.close() };
}

function createMailLoop({ smtp, smtpFrom }: Pick<Config, 'smtp' | 'smtpFrom'>, { store, egress, clock, log }: Parts) {
  if (!smtp || !smtpFrom) return undefined;
  const call = createSmtpCall({ egress, server: smtp, from: smtpFrom });
  return createDeliveryLoop<OutgoingMail>({
    queue: store.mails,
    health: store.health,
    async send(mail, signal) {
      const failure = await call(mail, signal);
      return failure ? { failure } : {};
    },
    maxAtOnce: MAX_AT_ONCE,
    retryMs: RETRY_MS,
    onFailure: ({ messageId, attempts }, { reason, isGivenUp }) =>
      log.warn({ mail: messageId, attempt: attempts + 1, reason, isGivenUp }, 'e-mail could not be sent'),
    name: 'e-mails',
    isShared: store.wakeUps.isShared,
    clock,
    log,
  });
}
