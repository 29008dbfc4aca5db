// Addresses of crypto wallets: Bitcoin and relatives by their checksums, Ethereum by its form and context.
import { createHash } from 'node:crypto';
import { hasLabel, labels, NOT_AFTER_WORD, NOT_BEFORE_WORD } from '../context.ts';
import type { Finding } from '../finding.ts';

const alone = (pattern: string, flags: string): RegExp =>
  new RegExp(`${NOT_AFTER_WORD}${pattern}${NOT_BEFORE_WORD}`, flags);

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE58_RUN = new RegExp(
  `(?<![/+=])${NOT_AFTER_WORD}[13LMDX][1-9A-HJ-NP-Za-km-z]{25,34}${NOT_BEFORE_WORD}(?![/+=])`,
  'gu',
);
/** First bytes of addresses: Bitcoin, Litecoin, Dogecoin, Dash. */
const VERSIONS = new Set([0x00, 0x05, 0x30, 0x32, 0x1e, 0x16, 0x4c, 0x10]);
const BECH32_RUN = alone('(?:bc|ltc|tb)1[02-9ac-hj-np-z]{11,71}', 'giu');
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const BECH32_GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const BECH32_RESULTS = new Set([1, 0x2bc830a3]);
const ETHEREUM = alone('0x[0-9a-fA-F]{40}', 'gu');
const MONERO = alone('[48][0-9AB][1-9A-HJ-NP-Za-km-z]{93}', 'gu');
const WALLET_LABEL = labels(
  'eth(?:ereum|er)?|erc-?20|wallet|donat[a-z]*|spend[a-z]*|don(?:s|aci[oó]n(?:es)?|azion[ei])?|crypto[a-z]*|address|adresse|usdt|usdc|metamask|pay|send',
);

export function findWallets(text: string): Finding[] {
  const found: Finding[] = [];
  const add = (match: RegExpExecArray, rule: string, score: number) =>
    found.push({ start: match.index, end: match.index + match[0].length, entity: 'FINANCIAL', rule, score });
  for (const match of text.matchAll(BASE58_RUN)) if (isBase58Address(match[0])) add(match, 'bitcoin', 0.95);
  for (const match of text.matchAll(BECH32_RUN)) if (isBech32(match[0])) add(match, 'bitcoin', 0.95);
  for (const match of text.matchAll(ETHEREUM)) {
    add(match, 'ethereum', hasLabel(text, match.index, WALLET_LABEL, 80) ? 0.8 : 0.4);
  }
  for (const match of text.matchAll(MONERO)) add(match, 'monero', 0.8);
  return found;
}

function isBase58Address(address: string): boolean {
  const bytes = decodeBase58(address);
  if (bytes?.length !== 25 || !VERSIONS.has(bytes[0]!)) return false;
  const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest();
  return sha256(sha256(bytes.subarray(0, 21)))
    .subarray(0, 4)
    .equals(bytes.subarray(21));
}

function decodeBase58(text: string): Uint8Array | undefined {
  const digits: number[] = [];
  for (const letter of text) {
    let carry = BASE58.indexOf(letter);
    for (let at = 0; at < digits.length; at++) {
      carry += digits[at]! * 58;
      digits[at] = carry & 255;
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) digits.push(carry & 255);
  }
  const zeros = text.length - text.replace(/^1+/, '').length;
  return Uint8Array.from([...Array<number>(zeros).fill(0), ...digits.reverse()]);
}

function isBech32(address: string): boolean {
  const lower = address.toLowerCase();
  if (address !== lower && address !== address.toUpperCase()) return false;
  const split = lower.lastIndexOf('1');
  const prefix = [...lower.slice(0, split)].map((letter) => letter.charCodeAt(0));
  const values = [...lower.slice(split + 1)].map((letter) => BECH32.indexOf(letter));
  let check = 1;
  for (const value of [...prefix.map((code) => code >> 5), 0, ...prefix.map((code) => code & 31), ...values]) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (let bit = 0; bit < 5; bit++) if ((top >>> bit) & 1) check ^= BECH32_GENERATORS[bit]!;
  }
  return BECH32_RESULTS.has(check);
}
