// Tokens in the links of mails and feeds: they say whose they are, and cannot be guessed or changed.
import { createHmac, timingSafeEqual } from 'node:crypto';

export type TokenPurpose = 'confirm' | 'unsubscribe' | 'feed';

const NUMBER_BYTES = 6;
const UUID_BYTES = 16;
const MAC_BYTES = 16;

export interface MailTokens {
  /** For a recipient, and the monitor that the mail is about. */
  recipient(purpose: 'confirm' | 'unsubscribe', subscription: number, monitorId: string): string;
  readRecipient(
    purpose: 'confirm' | 'unsubscribe',
    token: string,
  ): { subscription: number; monitorId: string } | undefined;
  /** For the feed of a monitor. */
  feed(teamId: string, monitorId: string): string;
  /** The team of the monitor. */
  readFeed(token: string, monitorId: string): string | undefined;
}

export function createMailTokens(secret: Uint8Array): MailTokens {
  // The first word separates the tokens from other things signed with this secret.
  const macOf = (purpose: TokenPurpose, payload: Uint8Array, more = ''): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['mail', purpose, Buffer.from(payload).toString('hex'), more]))
      .digest()
      .subarray(0, MAC_BYTES);
  const write = (purpose: TokenPurpose, payload: Uint8Array, more?: string): string =>
    Buffer.concat([payload, macOf(purpose, payload, more)]).toString('base64url');
  const read = (purpose: TokenPurpose, token: string, length: number, more?: string): Buffer | undefined => {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== length + MAC_BYTES) return undefined;
    const payload = bytes.subarray(0, length);
    return timingSafeEqual(bytes.subarray(length), macOf(purpose, payload, more)) ? payload : undefined;
  };

  return {
    recipient(purpose, subscription, monitorId) {
      const payload = Buffer.concat([Buffer.alloc(NUMBER_BYTES), bytesOf(monitorId)]);
      payload.writeUIntBE(subscription, 0, NUMBER_BYTES);
      return write(purpose, payload);
    },
    readRecipient(purpose, token) {
      const payload = read(purpose, token, NUMBER_BYTES + UUID_BYTES);
      if (!payload) return undefined;
      return { subscription: payload.readUIntBE(0, NUMBER_BYTES), monitorId: uuidOf(payload.subarray(NUMBER_BYTES)) };
    },
    feed: (teamId, monitorId) => write('feed', bytesOf(teamId), monitorId),
    readFeed(token, monitorId) {
      const payload = read('feed', token, UUID_BYTES, monitorId);
      return payload && uuidOf(payload);
    },
  };
}

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
