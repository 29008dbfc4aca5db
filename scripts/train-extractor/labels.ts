// Labels the blocks of a page that are main content, from its whole truth or from snippets of it.
import { alignTokens } from './align.ts';
import { tokensOf } from './tokens.ts';

const ALIGNED = 0.5;
// Blocks with this many tokens have enough 3-grams to be judged by them too.
const JUDGED_BY_GRAMS = 4;
const GRAMS_SUFFICE = 0.5;
const GRAMS_VETO = 0.25;

export const UNLABELLED = -1;

export interface BlockLabels {
  /** 1 for main content, 0 for the rest. */
  labels: Int8Array;
  /** The share of each block's tokens that are aligned with the truth. */
  matched: Float64Array;
}

export function labelBlocks(blockTexts: readonly string[], truth: string): BlockLabels {
  const blocks = blockTexts.map(tokensOf);
  const truthTokens = tokensOf(truth);
  const truthGrams = new Set(gramsOf(truthTokens));
  const matched = matchedShares(blocks, truthTokens);
  const overlaps = blocks.map((tokens) => gramOverlap(tokens, truthGrams));
  const labels = new Int8Array(blocks.length);
  const alignedTexts = new Set<string>();
  for (const [i, tokens] of blocks.entries()) {
    if (tokens.length === 0 || matched[i]! < ALIGNED) continue;
    if (tokens.length >= JUDGED_BY_GRAMS && overlaps[i]! < GRAMS_VETO) continue;
    labels[i] = 1;
    alignedTexts.add(tokens.join(' '));
  }
  // Text that the alignment missed (moved, repeated) still counts, but not a second copy of what was aligned.
  for (const [i, tokens] of blocks.entries()) {
    if (tokens.length < JUDGED_BY_GRAMS || overlaps[i]! < GRAMS_SUFFICE) continue;
    if (!alignedTexts.has(tokens.join(' '))) labels[i] = 1;
  }
  return { labels, matched };
}

function matchedShares(blocks: readonly string[][], truth: readonly string[]): Float64Array {
  const aligned = alignTokens(blocks.flat(), truth);
  let at = 0;
  return Float64Array.from(blocks, (tokens) => {
    let hits = 0;
    for (const end = at + tokens.length; at < end; at++) hits += aligned[at]!;
    return tokens.length === 0 ? 0 : hits / tokens.length;
  });
}

const gramsOf = (tokens: readonly string[]): string[] =>
  tokens.slice(2).map((token, i) => `${tokens[i]} ${tokens[i + 1]} ${token}`);

function gramOverlap(tokens: readonly string[], truthGrams: ReadonlySet<string>): number {
  const grams = gramsOf(tokens);
  return grams.length === 0 ? 0 : grams.filter((gram) => truthGrams.has(gram)).length / grams.length;
}

/**
 * For pages with only wanted and unwanted snippets: 1 and 0 for the blocks that contain one, -1 for the others and for
 * blocks that contain both kinds. A snippet may span several blocks.
 */
export function labelBySnippets(
  blockTexts: readonly string[],
  wanted: readonly string[],
  unwanted: readonly string[],
): Int8Array {
  const holdsWanted = blocksHolding(blockTexts, wanted);
  const holdsUnwanted = blocksHolding(blockTexts, unwanted);
  return Int8Array.from(blockTexts, (_, i) => {
    if (holdsWanted[i] === holdsUnwanted[i]) return UNLABELLED;
    return holdsWanted[i]!;
  });
}

function blocksHolding(blockTexts: readonly string[], snippets: readonly string[]): Uint8Array {
  const texts = blockTexts.map(normalise);
  const page = texts.join(' ');
  const holds = new Uint8Array(texts.length);
  const starts = new Int32Array(texts.length + 1);
  for (const [i, text] of texts.entries()) starts[i + 1] = starts[i]! + text.length + 1;
  for (const snippet of snippets.map(normalise)) {
    if (snippet === '') continue;
    for (let at = page.indexOf(snippet); at >= 0; at = page.indexOf(snippet, at + 1)) {
      if (!isWhole(page, at, at + snippet.length)) continue;
      for (let i = blockAt(starts, at); i < texts.length && starts[i]! < at + snippet.length; i++) {
        if (texts[i] !== '') holds[i] = 1;
      }
    }
  }
  return holds;
}

const normalise = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim().toLowerCase();

const WORD = /[\p{L}\p{N}_]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u;

/** Whether the span begins and ends at word borders: "art" is not found in "party". */
function isWhole(page: string, from: number, to: number): boolean {
  const joins = (left: string, right: string) =>
    WORD.test(left) && WORD.test(right) && !UNSPACED.test(left) && !UNSPACED.test(right);
  return !joins(page.charAt(from - 1), page.charAt(from)) && !joins(page.charAt(to - 1), page.charAt(to));
}

/** The last block that starts at or before a position in the page's text. */
function blockAt(starts: Int32Array, position: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= position) low = middle;
    else high = middle;
  }
  return low;
}
