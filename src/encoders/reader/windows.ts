// Cuts a text into windows that fit into the model, and chooses which of them are read for a question.
import { foldLatin } from '../../text/words/fold-letters.ts';
import { stemEnglish } from '../../text/words/stemmer.ts';
import { wordsOf } from '../../text/words/tokenizer.ts';
import { GAP, gapBetween } from '../words/word-features.ts';
import type { TokenizedWord } from '../words/word-pieces.ts';
import type { ReadingQuestion, TextSpan } from './reading.ts';

/** A range of the words of the text. */
export interface TextWindow {
  from: number;
  to: number;
}

/** Windows end at a line end behind this share of their room, so that none is needlessly short. */
const EARLIEST_END = 0.6;

/** Overlapping, so that no answer is cut in all of them. `room`: how many pieces of words fit. */
export function windowsOf(
  text: string,
  words: readonly TokenizedWord[],
  { room, overlap }: { room: number; overlap: number },
): TextWindow[] {
  const beginsLine = (at: number): boolean =>
    at === 0 || gapBetween(text, words[at - 1]!.end, words[at]!.start) >= GAP.line;
  const windows: TextWindow[] = [];
  for (let from = 0; from < words.length; ) {
    const to = windowEnd(words, from, room, beginsLine);
    windows.push({ from, to });
    if (to >= words.length) break;
    from = Math.max(from + 1, nextStart(words, from, to, room * overlap, beginsLine));
  }
  return windows;
}

function windowEnd(
  words: readonly TokenizedWord[],
  from: number,
  room: number,
  beginsLine: (at: number) => boolean,
): number {
  let pieces = 0;
  let end = from;
  let lineEnd: number | undefined;
  while (end < words.length && pieces + words[end]!.ids.length <= room) {
    pieces += words[end]!.ids.length;
    end += 1;
    if (end < words.length && pieces > room * EARLIEST_END && beginsLine(end)) lineEnd = end;
  }
  if (end === words.length) return end;
  // A word that is longer than the room stands in a window of its own.
  return lineEnd ?? Math.max(end, from + 1);
}

/** The first line that begins in the overlap, else the beginning of the overlap. */
function nextStart(
  words: readonly TokenizedWord[],
  from: number,
  to: number,
  overlap: number,
  beginsLine: (at: number) => boolean,
): number {
  let start = to;
  let pieces = 0;
  while (start > from + 1 && pieces + words[start - 1]!.ids.length <= overlap) {
    start -= 1;
    pieces += words[start]!.ids.length;
  }
  for (let at = start; at < to; at++) if (beginsLine(at)) return at;
  return start;
}

const HOLDS_PLACE = 1.5;
const IS_FIRST = 0.5;

/** The most promising windows for a question: with its words, with a place that is to be judged; in their order. */
export function chooseWindows(
  text: string,
  windows: readonly TextSpan[],
  { question, places }: ReadingQuestion,
  max: number,
): number[] {
  if (windows.length <= max) return windows.map((_window, at) => at);
  const wanted = stemsOf(question);
  const scored = windows.map(({ start, end }, at) => {
    const stems = stemsOf(text.slice(start, end));
    const shared = [...wanted].filter((stem) => stems.has(stem)).length;
    const holdsPlace = places.some((place) => place.start >= start && place.end <= end);
    return { at, score: shared + (holdsPlace ? HOLDS_PLACE : 0) + (at === 0 ? IS_FIRST : 0) };
  });
  const best = scored.sort((a, b) => b.score - a.score || a.at - b.at).slice(0, max);
  return best.map(({ at }) => at).sort((a, b) => a - b);
}

const ASKING = new Set(['what', 'who', 'when', 'where', 'which', 'how', 'is', 'are', 'the', 'of', 'a', 'this', 'much']);
const stemsOf = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => !ASKING.has(word))
      .map((word) => stemEnglish(foldLatin(word))),
  );
