// A real SMTP server on loopback that keeps the mails it gets.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  user?: string;
  isSecure: boolean;
  source: string;
}

export interface TestMailServer {
  port: number;
  mails: ReceivedMail[];
  /** Resolves when so many mails have arrived. */
  received(count: number): Promise<ReceivedMail[]>;
  stop(): Promise<void>;
}

interface Behaviour extends SMTPServerOptions {
  /** Called before a mail is accepted; an error refuses it. */
  onMail?(mail: ReceivedMail): Promise<void> | void;
}

export async function startSmtp({ onMail, ...options }: Behaviour = {}): Promise<TestMailServer> {
  const mails: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    // Without a certificate there is nothing to encrypt with.
    ...(options.key === undefined && { disabledCommands: ['STARTTLS'] }),
    async onData(stream, session, callback) {
      try {
        const source = await textOf(stream);
        const { mailFrom, rcptTo } = session.envelope;
        const mail = {
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          user: session.user as string | undefined,
          isSecure: session.secure,
          source,
        };
        await onMail?.(mail);
        mails.push(mail);
        for (const look of waiting) look();
        callback();
      } catch (error) {
        callback(error as Error);
      }
    },
    ...options,
  });
  // Clients that break off or do not like the certificate.
  server.on('error', () => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    received: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (mails.length < count) return;
          waiting.delete(look);
          resolve(mails);
        };
        waiting.add(look);
        look();
      }),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
