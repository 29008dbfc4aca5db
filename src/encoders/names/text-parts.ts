// Cuts text into parts that fit into the model: at empty lines, else at line ends, else at sentence ends, else between words.
import { gapBetween } from '../words/word-features.ts';
import type { TokenizedWord } from '../words/word-pieces.ts';

/** Parts are cut behind this share of the limit, so that none is needlessly short. */
const EARLIEST = 0.4;
const SENTENCE_END = 1;

/** Ranges of words, each with at most `maxPieces` pieces. No word has more pieces than that. */
export function cutParts(text: string, words: readonly TokenizedWord[], maxPieces: number): TokenizedWord[][] {
  const parts: TokenizedWord[][] = [];
  for (let start = 0; start < words.length; ) {
    const end = partEnd(text, words, start, maxPieces);
    parts.push(words.slice(start, end));
    start = end;
  }
  return parts;
}

function partEnd(text: string, words: readonly TokenizedWord[], start: number, maxPieces: number): number {
  let pieces = 0;
  let end = start;
  let best = { end: 0, rank: SENTENCE_END };
  while (end < words.length && pieces + words[end]!.ids.length <= maxPieces) {
    pieces += words[end]!.ids.length;
    end += 1;
    if (pieces <= maxPieces * EARLIEST || end === words.length) continue;
    const rank = cutRank(text, words[end - 1]!, words[end]!);
    if (rank >= best.rank) best = { end, rank };
  }
  if (end === words.length || best.end === 0) return end;
  return best.end;
}

/** How good a place between two words is for a cut; 0 if it is inside a sentence. */
function cutRank(text: string, before: TokenizedWord, after: TokenizedWord): number {
  const gap = gapBetween(text, before.end, after.start);
  if (gap > 1) return gap;
  return gap === 1 && '.!?'.includes(text[before.end - 1]!) ? SENTENCE_END : 0;
}
