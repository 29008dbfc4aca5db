// Turns OCR lines into blocks in reading order: paragraphs, headings, lists and tables.
import type { BlockBox } from '../../../page/parsed.ts';
import type { OcrPage, OcrWord } from '../engine/hocr.ts';
import type { OcrBlock, OcrText } from '../ocr.ts';
import { findCompounds, joinLines, joinWords } from './join-lines.ts';
import { findRuns, type LineRun } from './line-runs.ts';
import { boundingBox, median, type TextLine, uprightLines } from './ocr-lines.ts';
import { findGrid } from './text-grid.ts';

/** Blocks below this are textures or drawings. */
const MIN_CONFIDENCE = 0.4;
/** Blocks with few letters need more confidence. */
const MIN_CONFIDENCE_FEW_LETTERS = 0.6;
const FEW_LETTERS = 3;

export function layOutText(page: OcrPage): OcrText {
  const lines = uprightLines(page);
  const compounds = findCompounds(lines.map(({ words }) => joinWords(words)));
  const blocks: OcrBlock[] = [];
  const add = (some: TextLine[], text: string, rows?: string[][]) => {
    const block = { ...measure(some, page), text, ...(rows && { rows }) };
    if (isBelievable(block)) blocks.push(block);
  };
  /** `all`: all lines of the same column. */
  const addText = (some: TextLine[], all: TextLine[]) => {
    for (const runs of paragraphsOf(findRuns(some, all))) {
      const within = runs.flatMap((run) => run.lines);
      add(within, runs.map((run) => textOf(run, compounds)).join('\n'));
    }
  };
  let running: TextLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const grid = findGrid(lines, at);
    if (grid) {
      addText(running, lines);
      running = [];
      const rows = grid.rows?.map((row) => row.join(' ')).join('\n');
      if (rows !== undefined) add(lines.slice(at, at + grid.count), rows, grid.rows);
      for (const column of grid.columns ?? []) addText(column, column);
    } else {
      running.push(lines[at]!);
    }
    at += grid?.count ?? 1;
  }
  addText(running, lines);
  const words = page.paragraphs.flat().flatMap((line) => line.words);
  return { blocks, width: page.width, height: page.height, confidence: meanConfidence(words) };
}

/** List items stay together, and so do single lines; a run of several lines is a paragraph of its own. */
function paragraphsOf(runs: readonly LineRun[]): LineRun[][] {
  const paragraphs: LineRun[][] = [];
  let before: LineRun | undefined;
  for (const run of runs) {
    const isList = run.marker !== undefined;
    const belongs = before && run.isSameParagraph && isList === (before.marker !== undefined);
    if (belongs && (isList || (run.lines.length === 1 && before!.lines.length === 1))) paragraphs.at(-1)!.push(run);
    else paragraphs.push([run]);
    before = run;
  }
  return paragraphs;
}

function textOf({ lines, marker }: LineRun, compounds: ReadonlySet<string>): string {
  const text = joinLines(
    lines.map(({ words }) => joinWords(words)),
    compounds,
  );
  return marker === undefined ? text : `${marker} ${text}`;
}

function measure(lines: readonly TextLine[], { width, height }: OcrPage): Omit<OcrBlock, 'text'> {
  const words = lines.flatMap((line) => line.words);
  const [left, top, right, bottom] = boundingBox(words.map(({ originalBox: placed }) => placed));
  const part = (value: number, whole: number) => Math.min(1, Math.max(0, whole > 0 ? value / whole : 0));
  const bbox: BlockBox = [part(left, width), part(top, height), part(right, width), part(bottom, height)];
  return { lineHeight: median(lines.map((line) => line.height)), bbox, confidence: meanConfidence(words) };
}

/** Weighted by the number of letters. */
export function meanConfidence(words: readonly OcrWord[]): number {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  return letters === 0 ? 0 : words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / letters;
}

function isBelievable({ text, confidence }: OcrBlock): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return confidence >= (letters < FEW_LETTERS ? MIN_CONFIDENCE_FEW_LETTERS : MIN_CONFIDENCE);
}
