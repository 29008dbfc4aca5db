// Packs the blocks of one section into pieces of about equal size, each at most as long as a chunk may be.
import { tokensOf, tokenWeight } from '../../text/estimate-tokens.ts';
import { type BlockPart, partsOfBlock, wholeBlock } from './block-parts.ts';
import type { ScannedBlock } from './scan-blocks.ts';

export interface ChunkLimits {
  /** How long a chunk may be. */
  maxTokens: number;
  /** How much of the chunk before it a chunk of the same section repeats at most. */
  overlap: number;
}

/** What becomes a chunk: a span, and what is put in front of it and behind it. */
export interface ChunkPiece {
  start: number;
  end: number;
  opener: string;
  closer: string;
}

/** A longer line that ends with a colon is no label of what follows. */
const LONGEST_LABEL = 200;
const LABEL = /[:：][*_]*\s*$/;

export function packBlocks(blocks: readonly ScannedBlock[], limits: ChunkLimits): ChunkPiece[] {
  const { maxTokens, overlap } = limits;
  const weights = blocks.map(({ lines, start, end }) => tokenWeight(lines.text, start, end));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (tokensOf(total) <= maxTokens) return [joined(blocks)];
  const limit = maxTokens - overlap;
  const parts = partsWithin(blocks, weights, limit);
  const sums = [0];
  for (const { weight } of parts) sums.push(sums.at(-1)! + weight);
  const sizeOf = (first: number, last: number): number =>
    tokensOf(parts[first]!.opener.weight + sums[last]! - sums[first]! + parts[last - 1]!.closer.weight);
  const target = tokensOf(total) / Math.ceil(tokensOf(total) / limit);

  const pieces: ChunkPiece[] = [];
  let before = 0;
  for (let first = 0; first < parts.length; ) {
    let last = first + 1;
    while (last < parts.length && sizeOf(first, last) < target && sizeOf(first, last + 1) <= limit) last += 1;
    last = withoutLeads(parts, first, last, (from) => sizeOf(from, last + 1) <= limit);
    const { start, opener } = first === 0 ? parts[0]! : beginning({ parts, sizeOf, before, first }, limits);
    pieces.push({ start, end: parts[last - 1]!.end, opener: opener.text, closer: parts[last - 1]!.closer.text });
    before = first;
    first = last;
  }
  return pieces;
}

const joined = (blocks: readonly ScannedBlock[]): ChunkPiece => ({
  ...{ start: blocks[0]!.start, end: blocks.at(-1)!.end },
  ...{ opener: '', closer: '' },
});

/** Blocks that fit into a chunk, with the headings above them, stay whole. */
function partsWithin(blocks: readonly ScannedBlock[], weights: readonly number[], limit: number): BlockPart[] {
  const parts: BlockPart[] = [];
  let headings = 0;
  for (const [at, block] of blocks.entries()) {
    const weight = weights[at]!;
    if (tokensOf(headings + weight) <= limit) parts.push(wholeBlock(block, weight));
    else for (const part of partsOfBlock(block, limit)) parts.push(part);
    headings = block.kind === 'heading' ? headings + weight : 0;
  }
  return parts;
}

/** Headings and labels at the end of a piece go with what follows them, if that has room. */
function withoutLeads(
  parts: readonly BlockPart[],
  first: number,
  last: number,
  hasRoom: (from: number) => boolean,
): number {
  if (last === parts.length) return last;
  let end = last;
  while (end > first && isLead(parts[end - 1]!)) end -= 1;
  return end > first && end < last && hasRoom(end) ? end : last;
}

function isLead({ block, start, end }: BlockPart): boolean {
  if (block.kind === 'heading') return true;
  const isLabel = block.kind === 'paragraph' && end - start <= LONGEST_LABEL && end === block.end;
  return isLabel && LABEL.test(block.lines.text.slice(start, end));
}

interface Packing {
  parts: readonly BlockPart[];
  sizeOf(first: number, last: number): number;
  /** Where the piece before begins. */
  before: number;
  first: number;
}

/** With what a piece begins: its first part, or the last ones of the piece before it, as far as the overlap goes. */
function beginning({ parts, sizeOf, before, first }: Packing, { maxTokens, overlap }: ChunkLimits): BlockPart {
  let from = first;
  while (from - 1 > before && sizeOf(from - 1, first) <= overlap) from -= 1;
  if (from < first || overlap === 0) return parts[from]!;
  // Not even the last block fits: its last sentences, items, rows or lines.
  const { block, start, end } = parts[first - 1]!;
  if (start !== block.start || end !== block.end) return parts[first]!;
  const divided = partsOfBlock(block, maxTokens);
  let weight = 0;
  let found = parts[first]!;
  for (let at = divided.length - 1; at > 0; at -= 1) {
    weight += divided[at]!.weight;
    if (tokensOf(divided[at]!.opener.weight + weight) > overlap) break;
    found = divided[at]!;
  }
  return found;
}
