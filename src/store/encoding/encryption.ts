// Encryption at rest: AES-256-GCM with a separate key per purpose, derived from the secret of the data folder.
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { joinBytes } from './join-bytes.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
// First byte of the output, so that the format can change one day.
const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

export interface Encryption {
  /** `context` says what the bytes are and whose. Decryption needs the same context. */
  encrypt(bytes: Uint8Array, context: readonly string[]): Uint8Array;
  /** Undefined if encrypted with another secret or context, or if modified since. */
  decrypt(encrypted: Uint8Array, context: readonly string[]): Uint8Array | undefined;
}

export function createEncryption(secret: Uint8Array, purpose: string): Encryption {
  // Given as bytes, it would be made into such an object with every call.
  const key = createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_BYTES)));
  // JSON, so that different contexts never have the same text.
  const textOf = (context: readonly string[]) => Buffer.from(JSON.stringify(context));

  return {
    encrypt(bytes, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(textOf(context));
      const body = [cipher.update(bytes), cipher.final()];
      return joinBytes([Uint8Array.of(FORMAT), nonce, cipher.getAuthTag(), ...body]);
    },
    decrypt(encrypted, context) {
      if (encrypted.byteLength < HEAD_BYTES || encrypted[0] !== FORMAT) return undefined;
      const nonce = encrypted.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(textOf(context))
        .setAuthTag(encrypted.subarray(1 + NONCE_BYTES, HEAD_BYTES));
      const body = decipher.update(encrypted.subarray(HEAD_BYTES));
      try {
        return Buffer.concat([body, decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
