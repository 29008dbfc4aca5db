// What callers sent with scrapes and jobs (options, headers, texts of actions, webhooks), and what runs have found. It is
// always sealed as a whole, so that no field can be left in clear.
import { compressBytes, compressLater, decompressBytes, decompressLater } from './compress.ts';
import { createEncryption, type Encryption } from './encryption.ts';

/** The only form in which a part of a request may be stored. */
export type SealedText = string & { readonly sealed: unique symbol };

export interface SealedRequests {
  seal(part: unknown, teamId: string): SealedText;
  /** Undefined if it was sealed with another secret: what the scrape found can still be read. */
  open(text: SealedText, teamId: string): unknown;
  /** The same two for what may be large, in a thread where others wait: they compress elsewhere. */
  sealLarge(part: unknown, teamId: string): Promise<SealedText>;
  openLarge(text: SealedText, teamId: string): Promise<unknown>;
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

  const bytesOf = (part: unknown) => Buffer.from(JSON.stringify(part ?? null));
  const encrypt = (bytes: Uint8Array, teamId: string) =>
    Buffer.from(encryption().encrypt(bytes, contextOf(teamId))).toString('base64') as SealedText;
  const decrypt = (text: SealedText, teamId: string) =>
    encryption().decrypt(Buffer.from(text, 'base64'), contextOf(teamId));
  const parse = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString());

  return {
    seal(part, teamId) {
      const json = bytesOf(part);
      return encrypt(json.byteLength < COMPRESSED_FROM ? json : compressBytes(json), teamId);
    },
    open(text, teamId) {
      const opened = decrypt(text, teamId);
      return opened && parse(isCompressed(opened) ? decompressBytes(opened) : opened);
    },
    async sealLarge(part, teamId) {
      const json = bytesOf(part);
      return encrypt(json.byteLength < COMPRESSED_FROM ? json : await compressLater(json), teamId);
    },
    async openLarge(text, teamId) {
      const opened = decrypt(text, teamId);
      return opened && parse(isCompressed(opened) ? await decompressLater(opened) : opened);
    },
  };
}
