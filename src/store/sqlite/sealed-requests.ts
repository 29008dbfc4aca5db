// What callers sent with scrapes and jobs (options, headers, texts of actions, webhooks), and what runs have found. It is
// always sealed as a whole, so that no field can be left in clear.
import { compressBytes, decompressBytes } from './bodies.ts';
import { createEncryption, type Encryption } from './encryption.ts';

/** The only form in which a part of a request may be stored. */
export type SealedText = string & { readonly sealed: unique symbol };

export interface SealedRequests {
  seal(part: unknown, teamId: string): SealedText;
  /** Undefined if it was sealed with another secret: what the scrape found can still be read. */
  open(text: SealedText, teamId: string): unknown;
}

/** Requests are smaller; steps of runs hold whole pages. */
const COMPRESSED_FROM = 4096;
/** How a zstd frame begins, and no JSON text. */
const isCompressed = (bytes: Uint8Array): boolean => bytes[0] === 0x28 && bytes[1] === 0xb5;

/** The secret is read on first use, so that merely opening a data folder creates none in it. */
export function createSealedRequests(readSecret: () => Uint8Array): SealedRequests {
  let made: Encryption | undefined;
  const encryption = (): Encryption => {
    made ??= createEncryption(readSecret(), 'options');
    return made;
  };
  const contextOf = (teamId: string) => ['options', teamId];

  return {
    seal(part, teamId) {
      const json = Buffer.from(JSON.stringify(part ?? null));
      const bytes = json.byteLength < COMPRESSED_FROM ? json : compressBytes(json);
      return Buffer.from(encryption().encrypt(bytes, contextOf(teamId))).toString('base64') as SealedText;
    },
    open(text, teamId) {
      const opened = encryption().decrypt(Buffer.from(text, 'base64'), contextOf(teamId));
      return opened && JSON.parse(Buffer.from(isCompressed(opened) ? decompressBytes(opened) : opened).toString());
    },
  };
}
