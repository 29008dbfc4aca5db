// Sends one e-mail to the operator's mail server, and says what counts as success.
import type { Socket } from 'node:net';
import type { Egress } from '../../net/egress.ts';
import type { OutgoingMail } from '../../store/ports/deliveries/mail-store.ts';
import { onAbort, raceAbort, startDeadline } from '../../util/abort.ts';
import type { SendFailure } from '../deliveries/delivery-loop.ts';
import type { Sender, SmtpServer } from './smtp-server.ts';

export interface SmtpCallDeps {
  egress: Pick<Egress, 'connect'>;
  server: SmtpServer;
  from: Sender;
  /** For the whole exchange. */
  limitMs?: number;
  /** Time to finish a mail that is being sent when the service stops: an interrupted mail could be sent twice. */
  graceMs?: number;
}

/** Resolves with undefined on success. Rejects only when `signal` aborts. */
export type SmtpCall = (
  mail: Pick<OutgoingMail, 'messageId' | 'to' | 'content'>,
  signal: AbortSignal,
) => Promise<SendFailure | undefined>;

const LIMIT_MS = 120_000;
const GRACE_MS = 4_000;

export function createSmtpCall(deps: SmtpCallDeps): SmtpCall {
  const { egress, server, from, limitMs = LIMIT_MS, graceMs = GRACE_MS } = deps;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return async ({ messageId, to, content }, outer) => {
    outer.throwIfAborted();
    const end = new AbortController();
    using _ = onAbort(outer, () => setTimeout(() => end.abort(outer.reason), graceMs).unref());
    const { signal, done } = startDeadline(
      limitMs,
      () => new Error('The mail server did not answer in time.'),
      end.signal,
    );
    const transport = await openTransport({ egress, server, name: domain, signal });
    try {
      const { subject, text, html, headers } = content;
      const sent = transport.sendMail({
        // Objects, so that nothing in a name or an address is read as another address.
        from,
        to: { name: '', address: to },
        // The same for every attempt, so that the receiver can recognise a repetition.
        messageId: `<${messageId}@${domain}>`,
        ...{ subject, text, html, headers: { 'Auto-Submitted': 'auto-generated', ...headers } },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      await raceAbort(sent, signal);
      return undefined;
    } catch (error) {
      end.signal.throwIfAborted();
      return failureOf(error);
    } finally {
      done();
      transport.close();
    }
  };
}

/** Connects and signs in without sending anything. Returns what went wrong, if anything. */
export async function verifySmtp({
  egress,
  server,
  from,
  limitMs = LIMIT_MS,
}: SmtpCallDeps): Promise<string | undefined> {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const { signal, done } = startDeadline(limitMs, () => new Error('The mail server did not answer in time.'));
  const transport = await openTransport({ egress, server, name: domain, signal });
  try {
    await raceAbort(transport.verify(), signal);
    return undefined;
  } catch (error) {
    return failureOf(error).reason;
  } finally {
    done();
    transport.close();
  }
}

interface Opening extends Pick<SmtpCallDeps, 'egress' | 'server'> {
  /** How we greet the server. */
  name: string;
  signal: AbortSignal;
}

async function openTransport({ egress, server, name, signal }: Opening) {
  // Loaded with the first mail: an idle service does without it.
  const { createTransport } = await import('nodemailer');
  const { host, port, encryption, user, password } = server;
  const connect = async (): Promise<Socket> => {
    const socket = await egress.connect({ host, port }, signal);
    const closing = onAbort(signal, () => socket.destroy());
    return socket.once('close', () => closing[Symbol.dispose]());
  };
  return createTransport({
    ...{ host, port, name },
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    tls: { rejectUnauthorized: true },
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    getSocket: (_options, callback) => {
      connect().then(
        (connection) => callback(null, { connection }),
        (error) => callback(error, false),
      );
    },
  });
}

const REASONS: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server refused user and password.',
  ETLS: 'No encrypted connection with the mail server was possible. Its certificate must be valid.',
  ECONNECTION: 'The mail server closed the connection.',
  ETIMEDOUT: 'The mail server did not answer in time.',
  ESOCKET: 'The connection with the mail server failed.',
  EDNS: 'The name of the mail server cannot be resolved.',
};

/** Texts of servers often repeat the address or the message, so only the status is told. */
function failureOf(error: unknown): SendFailure {
  const { code = '', responseCode, message } = error as { code?: string; responseCode?: number; message: string };
  const status = responseCode === undefined ? '' : ` with status ${responseCode}`;
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    const what = code === 'EENVELOPE' ? 'the sender or the recipient' : 'the message';
    return { reason: `The mail server refused ${what}${status}.`, isFinal: (responseCode ?? 0) >= 500 };
  }
  // The library reports a bad certificate as a fault of the socket.
  const isTls = code === 'ESOCKET' && /certificate|\bTLS\b|\bSSL\b/i.test(message);
  const reason =
    REASONS[isTls ? 'ETLS' : code] ?? (code === '' ? message : `The mail could not be sent (${code}${status}).`);
  return { reason, isFinal: false };
}
