// Turns the scores that the model gives each piece of a word into spans of the text.
import { GAP, gapBetween } from '../words/word-features.ts';
import type { TokenizedWord } from '../words/word-pieces.ts';

/** In the order of the model's labels: outside, then begin and inside of each type. */
export const SPAN_TYPES = ['PERSON', 'LOCATION', 'ORGANISATION'] as const;
export type SpanType = (typeof SPAN_TYPES)[number];
export const LABELS = 1 + 2 * SPAN_TYPES.length;

export interface LabelledSpan {
  start: number;
  end: number;
  type: SpanType;
  /** The probability of the least certain word. */
  score: number;
}

/**
 * `logits` has LABELS numbers for each piece; the first piece of the first word is number 1. `bias` is taken off the score
 * of "outside" before the scores become probabilities.
 */
export function labelSpans(
  text: string,
  words: readonly TokenizedWord[],
  logits: Float32Array,
  bias: number,
): LabelledSpan[] {
  const spans: LabelledSpan[] = [];
  let open: LabelledSpan | undefined;
  let piece = 1;
  for (const word of words) {
    const { type, score, begins } = wordLabel(logits, piece, word.ids.length, bias);
    piece += word.ids.length;
    if (type === undefined) open = undefined;
    else if (open && open.type === type && !begins && !isEmptyLine(text, open.end, word.start)) {
      open.end = word.end;
      open.score = Math.min(open.score, score);
    } else {
      open = { start: word.start, end: word.end, type, score };
      spans.push(open);
    }
  }
  return spans;
}

/** No name goes on behind an empty line. */
const isEmptyLine = (text: string, from: number, to: number): boolean => gapBetween(text, from, to) === GAP.emptyLine;

interface WordLabel {
  type: SpanType | undefined;
  score: number;
  /** The word begins a name rather than continuing one. */
  begins: boolean;
}

/** The type with the highest mean probability over the pieces of the word. */
function wordLabel(logits: Float32Array, first: number, pieces: number, bias: number): WordLabel {
  const types = new Float64Array(1 + SPAN_TYPES.length);
  for (let piece = first; piece < first + pieces; piece++) {
    const probabilities = softmax(logits, piece * LABELS, bias);
    for (let label = 0; label < LABELS; label++) types[(label + 1) >> 1]! += probabilities[label]! / pieces;
  }
  const best = types.indexOf(Math.max(...types));
  if (best === 0) return { type: undefined, score: types[0]!, begins: false };
  const begin = first * LABELS + 2 * best - 1;
  return { type: SPAN_TYPES[best - 1], score: types[best]!, begins: logits[begin]! > logits[begin + 1]! };
}

function softmax(logits: Float32Array, offset: number, bias: number): Float64Array {
  const scores = Float64Array.from(logits.subarray(offset, offset + LABELS));
  scores[0]! -= bias;
  const highest = Math.max(...scores);
  let sum = 0;
  for (let label = 0; label < LABELS; label++) {
    scores[label] = Math.exp(scores[label]! - highest);
    sum += scores[label]!;
  }
  return scores.map((score) => score / sum);
}
