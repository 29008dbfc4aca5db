// Splits for honest validation: a domain is never on both sides, and duplicate pages are found by URL and text.
import { getDomain } from 'tldts';
import { sha256 } from '../../src/util/hash.ts';
import { tokensOf } from './tokens.ts';

/** The registrable domain; each page without one is its own group. */
export function domainOf(url: string, id: string): string {
  return getDomain(url) || URL.parse(url)?.hostname || `page:${id}`;
}

const spread = (text: string, parts: number): number => Number.parseInt(sha256(text).slice(0, 8), 16) % parts;

export const foldOf = (domain: string, folds: number): number => spread(`fold ${domain}`, folds);

/** Half A is for training; half B for validation only. */
export const halfOf = (domain: string): 'A' | 'B' => (spread(`magic ${domain}`, 2) === 0 ? 'A' : 'B');

/** The URL without what does not distinguish pages: scheme, www, fragment, trailing slash, case. */
export function addressOf(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url.trim().toLowerCase();
  const host = parsed.hostname.replace(/^www\./, '');
  return `${host}${parsed.pathname.replace(/\/+$/, '')}${parsed.search}`.toLowerCase();
}

const GRAM = 12;
// A shared sentence may be a quotation or a notice; a tenth of the text means the same page.
const SAME_TEXT = 0.1;

/** The part of a page that the overlap check needs. */
export interface Fingerprint {
  readonly address: string;
  /** Hashes of the distinct 12-grams of its truth. */
  readonly grams: Float64Array;
}

export const fingerprintOf = (url: string, truth: string): Fingerprint => ({
  address: addressOf(url),
  grams: gramHashes(tokensOf(truth)),
});

function gramHashes(tokens: readonly string[]): Float64Array {
  const hashes = tokens.map(hashToken);
  const grams = new Set<number>();
  for (let i = 0; i + GRAM <= tokens.length; i++) {
    let high = 0;
    let low = 0;
    for (let k = i; k < i + GRAM; k++) {
      high = Math.imul(high ^ hashes[k]!, 0x9e3779b1) ^ (high >>> 15);
      low = Math.imul(low + hashes[k]!, 0x85ebca6b) ^ (low >>> 13);
    }
    grams.add((high >>> 0) * 2 ** 21 + (low >>> 11));
  }
  return Float64Array.from(grams);
}

function hashToken(token: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < token.length; i++) hash = Math.imul(hash ^ token.charCodeAt(i), 0x01000193);
  return hash;
}

export interface Overlap {
  byAddress: number;
  byText: number;
  /** 1 for each training page that is also, at least in large parts, among the validation pages. */
  overlapping: Uint8Array;
}

export function findOverlap(training: readonly Fingerprint[], validation: readonly Fingerprint[]): Overlap {
  const addresses = new Set(validation.map(({ address }) => address));
  const validationGrams = new Map<number, number[]>();
  for (const [page, { grams }] of validation.entries()) {
    for (const gram of grams) {
      const holders = validationGrams.get(gram);
      if (holders) holders.push(page);
      else validationGrams.set(gram, [page]);
    }
  }
  const overlap: Overlap = { byAddress: 0, byText: 0, overlapping: new Uint8Array(training.length) };
  for (const [i, page] of training.entries()) {
    const sameAddress = addresses.has(page.address);
    const sameText = sharesText(page, validation, validationGrams);
    if (sameAddress) overlap.byAddress += 1;
    if (sameText) overlap.byText += 1;
    if (sameAddress || sameText) overlap.overlapping[i] = 1;
  }
  return overlap;
}

function sharesText(
  { grams }: Fingerprint,
  validation: readonly Fingerprint[],
  validationGrams: ReadonlyMap<number, number[]>,
): boolean {
  const shared = new Map<number, number>();
  for (const gram of grams) {
    for (const page of validationGrams.get(gram) ?? []) shared.set(page, (shared.get(page) ?? 0) + 1);
  }
  return [...shared].some(
    ([page, count]) => count >= SAME_TEXT * Math.min(grams.length, validation[page]!.grams.length),
  );
}
