// Joins lines into runs: tells wrapped lines from intended line breaks and new list items.
import { isDoubtfulMarker, isListMarker, listMarker } from './list-marker.ts';
import { median, type TextLine } from './ocr-lines.ts';

/** Lines of running text, or one list item. */
export interface LineRun {
  lines: TextLine[];
  /** `•` or the number of a list item; removed from the words. */
  marker?: string;
  /** Directly continues the paragraph or list of the previous run. */
  isSameParagraph: boolean;
}

interface Extent {
  left: number;
  /** The right edge of its lines. */
  right: number;
  lines: number;
  height: number;
}

const ENDS_SENTENCE = /[.!?:;。！？]["'”’)\]]*$/u;
const STARTS_LOWER_CASE = /^\p{Ll}/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
/** Measured heights of the same font size differ by up to this factor. */
const SIZE_TOLERANCE = 1.22;
/** A paragraph with this many lines reveals its own right edge. */
const ENOUGH_LINES = 4;

/** `all`: the lines of the whole page, which show the width of its columns. */
export function findRuns(lines: readonly TextLine[], all: readonly TextLine[]): LineRun[] {
  const extents = extentsOf(all);
  const isListItem = listItemTest(lines);
  const runs: LineRun[] = [];
  let before: TextLine | undefined;
  for (const whole of lines) {
    const marker = isListItem(whole) ? listMarker(whole.words[0]!.text) : undefined;
    const line = marker === undefined ? whole : { ...whole, words: whole.words.slice(1) };
    const last = runs.at(-1);
    if (before && last && marker === undefined && continues(before, line, extents)) last.lines.push(line);
    else {
      const follows =
        before !== undefined &&
        sameSize(before, line) &&
        (marker === undefined ? before.paragraph === line.paragraph : isSameMarkerType(marker, last?.marker));
      runs.push({ lines: [line], ...(marker !== undefined && { marker }), isSameParagraph: follows });
    }
    before = whole;
  }
  return runs;
}

function continues(before: TextLine, line: TextLine, extents: readonly Extent[]): boolean {
  if (!sameSize(before, line)) return false;
  if (before.paragraph === line.paragraph) return !endsEarly(before, line, extents);
  // Tesseract split a paragraph if the text continues mid-sentence.
  const distance = line.box[1] - before.box[3];
  return (
    STARTS_LOWER_CASE.test(line.words[0]!.text) &&
    !ENDS_SENTENCE.test(before.words.at(-1)!.text) &&
    distance > -before.height &&
    distance < before.height &&
    Math.abs(line.box[0] - before.box[0]) < 2 * before.height
  );
}

/** The first word of the next line would have fitted, so the line break is intended. */
function endsEarly(before: TextLine, line: TextLine, extents: readonly Extent[]): boolean {
  const first = line.words[0]!;
  if (RIGHT_TO_LEFT.test(first.text)) return false;
  const needed = first.box[2] - first.box[0] + before.height;
  return rightEdge(before.paragraph, extents) - before.box[2] > needed;
}

/** A few lines may all be short; then the neighbouring paragraphs give the column width. */
function rightEdge(paragraph: number, extents: readonly Extent[]): number {
  const own = extents[paragraph]!;
  if (own.lines >= ENOUGH_LINES) return own.right;
  const neighbours = [extents[paragraph - 1], extents[paragraph + 1]].filter(
    (other) => other && isSimilar(other.height, own.height) && Math.abs(other.left - own.left) < 2 * own.height,
  );
  return Math.max(own.right, ...neighbours.map((other) => other!.right));
}

function extentsOf(lines: readonly TextLine[]): Extent[] {
  const extents: Extent[] = [];
  for (const [paragraph, some] of Map.groupBy(lines, (line) => line.paragraph)) {
    const rights = some.map(({ box }) => box[2]).sort((a, b) => b - a);
    extents[paragraph] = {
      left: Math.min(...some.map(({ box }) => box[0])),
      // A speck may extend one line too far.
      right: some.length >= ENOUGH_LINES ? rights[1]! : rights[0]!,
      lines: some.length,
      height: median(some.map(({ height }) => height)),
    };
  }
  return extents;
}

/** Tests whether a line is a list item. A doubtful marker needs a second one at the same indentation. */
function listItemTest(lines: readonly TextLine[]): (line: TextLine) => boolean {
  const column = (line: TextLine) => Math.round(line.box[0] / line.height);
  const begins = (line: TextLine, isMarker: (word: string) => boolean) =>
    line.words.length > 1 && isMarker(line.words[0]!.text);
  const markers = new Map<number, number>();
  for (const line of lines) {
    if (!begins(line, isListMarker) && !begins(line, isDoubtfulMarker)) continue;
    for (const at of [column(line) - 1, column(line), column(line) + 1]) markers.set(at, (markers.get(at) ?? 0) + 1);
  }
  return (line) => begins(line, isListMarker) || (begins(line, isDoubtfulMarker) && markers.get(column(line))! > 1);
}

/** Both are bullets, or both are numbers. */
const isSameMarkerType = (marker: string, before: string | undefined): boolean =>
  before !== undefined && (marker === '•') === (before === '•');

const isSimilar = (one: number, other: number): boolean => one < other * SIZE_TOLERANCE && other < one * SIZE_TOLERANCE;
const sameSize = (one: TextLine, other: TextLine): boolean => isSimilar(one.height, other.height);
