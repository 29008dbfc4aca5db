// The parts into which a block can be divided that is too long for a chunk: rows of a table, items of a list, lines of code,
// sentences of a paragraph. No part is ever cut.

import { tokensOf, tokenWeight } from '../../text/estimate-tokens.ts';
import { eachSentence, isSpace } from '../../text/passages/sentences.ts';
import { inlineSpans } from './inline-spans.ts';
import { contentOf, fenceIn, isBlank, type Lines, wholeLine } from './markdown-lines.ts';
import type { ScannedBlock } from './scan-blocks.ts';

/** A span of the text, and what stands around it if a chunk begins or ends with it. */
export interface BlockPart {
  block: ScannedBlock;
  start: number;
  end: number;
  weight: number;
  /** The header of its table, or the opening fence of its code. */
  opener: Repeated;
  /** The closing fence. */
  closer: Repeated;
}

interface Repeated {
  text: string;
  weight: number;
}

const NOTHING: Repeated = { text: '', weight: 0 };
/** What is repeated takes at most this share of a chunk. */
const REPEATED_SHARE = 0.5;
/** Parts are not made much shorter than this share of a chunk, in characters, so that a page never has too many. */
const SHORTEST_SHARE = 0.125;
/** A sentence that is too long for a chunk can be divided after these, and after spaces. */
const COMMAS = '，、；：';

export const wholeBlock = (block: ScannedBlock, weight: number): BlockPart => ({
  ...{ block, start: block.start, end: block.end, weight },
  ...{ opener: NOTHING, closer: NOTHING },
});

export function partsOfBlock(block: ScannedBlock, maxTokens: number): BlockPart[] {
  const { lines, first, last } = block;
  const { text } = lines;
  switch (block.kind) {
    case 'list':
      return partsAt(block, lineStarts(lines, block.items.slice(1)), maxTokens);
    case 'table': {
      const header = wholeLine(lines, first) + wholeLine(lines, first + 1);
      return partsAt(block, lineStarts(lines, range(first + 3, last)), maxTokens, repeated(header, maxTokens));
    }
    case 'fence': {
      const ends = block.isClosed ? last - 1 : last;
      const { opener, closer } = fencesOf(block, maxTokens);
      return partsAt(block, textLines(lines, first + 2, ends), maxTokens, opener, closer);
    }
    case 'lines':
      return partsAt(block, textLines(lines, first + 1, last), maxTokens);
    case 'paragraph':
      return partsAt(block, sentenceStarts(text, block, maxTokens), maxTokens);
    default:
      return partsAt(block, [], maxTokens);
  }
}

/** Divides the block at these positions, none of which is its start. */
function partsAt(
  block: ScannedBlock,
  positions: readonly number[],
  maxTokens: number,
  opener = NOTHING,
  closer = NOTHING,
): BlockPart[] {
  const cuts = apart(positions, block, maxTokens * SHORTEST_SHARE);
  return [block.start, ...cuts].map((start, at) => {
    const end = cuts[at] ?? block.end;
    return {
      ...{ block, start, end, weight: tokenWeight(block.lines.text, start, end) },
      opener: at === 0 ? NOTHING : opener,
      closer: at === cuts.length ? NOTHING : closer,
    };
  });
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);

/** Leaves out positions between which there is little. */
function apart(positions: readonly number[], { start, end }: ScannedBlock, distance: number): number[] {
  let before = start;
  return positions.filter((position, at) => {
    const isKept = position - before >= distance || (positions[at + 1] ?? end) - position >= distance;
    if (isKept) before = position;
    return isKept;
  });
}

const lineStarts = ({ starts }: Lines, numbers: readonly number[]): number[] => numbers.map((line) => starts[line]!);

/** Without empty lines, which belong to the line before them. */
const textLines = (lines: Lines, from: number, to: number): number[] =>
  lineStarts(
    lines,
    range(from, to).filter((line) => !isBlank(contentOf(lines, line))),
  );

function repeated(text: string, maxTokens: number): Repeated {
  const weight = tokenWeight(text);
  return tokensOf(weight) <= maxTokens * REPEATED_SHARE ? { text, weight } : NOTHING;
}

function fencesOf({ lines, first }: ScannedBlock, maxTokens: number): { opener: Repeated; closer: Repeated } {
  const fence = fenceIn(contentOf(lines, first))!;
  const before = lines.text.slice(lines.starts[first]!, lines.froms[first]!) + fence.indent;
  const bare = repeated(`${before}${fence.signs}\n`, maxTokens);
  const opener = repeated(wholeLine(lines, first), maxTokens);
  return {
    opener: opener === NOTHING ? bare : opener,
    closer: bare === NOTHING ? NOTHING : { text: `\n${before}${fence.signs}`, weight: bare.weight },
  };
}

/** Where the sentences of a paragraph begin, and the words of those that are too long for a chunk. */
function sentenceStarts(text: string, { start, end }: ScannedBlock, maxTokens: number): number[] {
  const paragraph = text.slice(start, end);
  const whole = inlineSpans(paragraph);
  const sentences: number[] = [];
  eachSentence(paragraph, (from) => sentences.push(from));
  const starts = outside(whole, sentences.slice(1));
  const cuts: number[] = [];
  for (const [at, from] of [0, ...starts].entries()) {
    const to = starts[at] ?? paragraph.length;
    if (from > 0) cuts.push(from);
    if (tokensOf(tokenWeight(paragraph, from, to)) <= maxTokens) continue;
    for (let word = from + 1; word < to; word += 1) if (beginsWord(paragraph, word)) cuts.push(word);
  }
  return outside(whole, cuts).map((cut) => start + cut);
}

const beginsWord = (text: string, at: number): boolean =>
  !isSpace(text, at) && (isSpace(text, at - 1) || COMMAS.includes(text[at - 1]!));

/** The positions that are in none of the spans. Both are in order. */
function outside(spans: readonly [number, number][], positions: readonly number[]): number[] {
  let next = 0;
  let covered = 0;
  return positions.filter((position) => {
    for (; next < spans.length && spans[next]![0] < position; next += 1) covered = Math.max(covered, spans[next]![1]);
    return position >= covered;
  });
}
