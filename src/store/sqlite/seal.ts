// Encryption of what is kept: AES-256-GCM with a key of its own for each purpose, made from the secret of the data folder.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { joinBytes } from './bytes.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
// One byte that says how the rest is made, so that it can be made otherwise one day.
const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

export interface Seal {
  /** `place` says what the bytes are and whose: they open only where the same is said. */
  close(bytes: Uint8Array, place: readonly string[]): Uint8Array;
  /** Undefined when they were closed with another secret or at another place, or were changed since. */
  open(sealed: Uint8Array, place: readonly string[]): Uint8Array | undefined;
}

export function createSeal(secret: Uint8Array, purpose: string): Seal {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
  // As JSON, so that no two places have the same text.
  const textOf = (place: readonly string[]) => Buffer.from(JSON.stringify(place));

  return {
    close(bytes, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(textOf(place));
      const body = [cipher.update(bytes), cipher.final()];
      return joinBytes([Uint8Array.of(FORMAT), nonce, cipher.getAuthTag(), ...body]);
    },
    open(sealed, place) {
      if (sealed.byteLength < HEAD_BYTES || sealed[0] !== FORMAT) return undefined;
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(textOf(place))
        .setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES));
      const body = decipher.update(sealed.subarray(HEAD_BYTES));
      try {
        return Buffer.concat([body, decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
