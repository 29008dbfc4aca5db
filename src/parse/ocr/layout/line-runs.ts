// Which lines of a page run on, which end where the writer meant them to, and which begin something new.

import { isDoubtfulSign, isListSign, listSign } from './list-sign.ts';
import { median, type TextLine } from './ocr-lines.ts';

/** Lines that are one sentence or item after the other, from edge to edge. */
export interface Run {
  lines: TextLine[];
  /** What an item of a list begins with: `•`, or its number. It is no longer among the words. */
  marker?: string;
  /** It stands below the run before it as one line below another; else it begins a new paragraph. */
  follows: boolean;
}

interface Extent {
  left: number;
  /** How far to the right its lines go. */
  right: number;
  lines: number;
  height: number;
}

const ENDS_SENTENCE = /[.!?:;。！？]["'”’)\]]*$/u;
const GOES_ON = /^\p{Ll}/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
/** Letters of one size are measured alike but for this. */
const SIZE_TOLERANCE = 1.22;
/** From a paragraph of so many lines on, its own edge is known. */
const ENOUGH_LINES = 4;

/** `all` are the lines of the whole page, which say how wide its columns are. */
export function runsOf(lines: readonly TextLine[], all: readonly TextLine[]): Run[] {
  const extents = extentsOf(all);
  const isMarked = markedAmong(lines);
  const runs: Run[] = [];
  let before: TextLine | undefined;
  for (const whole of lines) {
    const marker = isMarked(whole) ? listSign(whole.words[0]!.text) : undefined;
    const line = marker === undefined ? whole : { ...whole, words: whole.words.slice(1) };
    const last = runs.at(-1);
    if (before && last && marker === undefined && runsOn(before, line, extents)) last.lines.push(line);
    else {
      const follows =
        before !== undefined &&
        sameSize(before, line) &&
        (marker === undefined ? before.paragraph === line.paragraph : isAnother(marker, last?.marker));
      runs.push({ lines: [line], ...(marker !== undefined && { marker }), follows });
    }
    before = whole;
  }
  return runs;
}

function runsOn(before: TextLine, line: TextLine, extents: readonly Extent[]): boolean {
  if (!sameSize(before, line)) return false;
  if (before.paragraph === line.paragraph) return !endsEarly(before, line, extents);
  // A paragraph that was torn apart: the text itself says so.
  const distance = line.box[1] - before.box[3];
  return (
    GOES_ON.test(line.words[0]!.text) &&
    !ENDS_SENTENCE.test(before.words.at(-1)!.text) &&
    distance > -before.height &&
    distance < before.height &&
    Math.abs(line.box[0] - before.box[0]) < 2 * before.height
  );
}

/** The first word of the next line would have found room: whoever set the text meant to begin a new line. */
function endsEarly(before: TextLine, line: TextLine, extents: readonly Extent[]): boolean {
  const first = line.words[0]!;
  if (RIGHT_TO_LEFT.test(first.text)) return false;
  const needed = first.box[2] - first.box[0] + before.height;
  return rightEdge(before.paragraph, extents) - before.box[2] > needed;
}

/** Few lines may all be short: then those above and below say how wide the column is. */
function rightEdge(paragraph: number, extents: readonly Extent[]): number {
  const own = extents[paragraph]!;
  if (own.lines >= ENOUGH_LINES) return own.right;
  const neighbours = [extents[paragraph - 1], extents[paragraph + 1]].filter(
    (other) => other && alike(other.height, own.height) && Math.abs(other.left - own.left) < 2 * own.height,
  );
  return Math.max(own.right, ...neighbours.map((other) => other!.right));
}

function extentsOf(lines: readonly TextLine[]): Extent[] {
  const extents: Extent[] = [];
  for (const [paragraph, some] of Map.groupBy(lines, (line) => line.paragraph)) {
    const rights = some.map(({ box }) => box[2]).sort((a, b) => b - a);
    extents[paragraph] = {
      left: Math.min(...some.map(({ box }) => box[0])),
      // One line may reach too far, by a speck beyond its end.
      right: some.length >= ENOUGH_LINES ? rights[1]! : rights[0]!,
      lines: some.length,
      height: median(some.map(({ height }) => height)),
    };
  }
  return extents;
}

/** Whether a line is an item of a list. A doubtful sign needs another one below or above it. */
function markedAmong(lines: readonly TextLine[]): (line: TextLine) => boolean {
  const place = (line: TextLine) => Math.round(line.box[0] / line.height);
  const begins = (line: TextLine, isSign: (word: string) => boolean) =>
    line.words.length > 1 && isSign(line.words[0]!.text);
  const signs = new Map<number, number>();
  for (const line of lines) {
    if (!begins(line, isListSign) && !begins(line, isDoubtfulSign)) continue;
    for (const at of [place(line) - 1, place(line), place(line) + 1]) signs.set(at, (signs.get(at) ?? 0) + 1);
  }
  return (line) => begins(line, isListSign) || (begins(line, isDoubtfulSign) && signs.get(place(line))! > 1);
}

/** Bullets go with bullets and numbers with numbers. */
const isAnother = (marker: string, before: string | undefined): boolean =>
  before !== undefined && (marker === '•') === (before === '•');

const alike = (one: number, other: number): boolean => one < other * SIZE_TOLERANCE && other < one * SIZE_TOLERANCE;
const sameSize = (one: TextLine, other: TextLine): boolean => alike(one.height, other.height);
