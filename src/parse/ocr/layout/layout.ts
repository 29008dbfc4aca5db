// What tesseract reports to blocks of text as a reader sees them: paragraphs, headings, lists and tables in reading order.
import type { BlockBox } from '../../../contracts/parsed.ts';
import type { ReadPage, Word } from '../engine/hocr.ts';
import type { OcrBlock, OcrText } from '../ocr.ts';
import { compoundsOf, joinLines, joinWords } from './join-lines.ts';
import { type Run, runsOf } from './line-runs.ts';
import { around, median, type TextLine, uprightLines } from './ocr-lines.ts';
import { gridAt } from './text-grid.ts';

/** Below it a block is a texture or a drawing rather than text. */
const LEAST_CONFIDENCE = 0.4;
/** What little there is must be clearer to be believed. */
const LEAST_OF_FEW = 0.6;
const FEW_LETTERS = 3;

export function layOut(page: ReadPage): OcrText {
  const lines = uprightLines(page);
  const compounds = compoundsOf(lines.map(({ words }) => joinWords(words)));
  const blocks: OcrBlock[] = [];
  const add = (some: TextLine[], text: string, rows?: string[][]) => {
    const block = { ...measure(some, page), text, ...(rows && { rows }) };
    if (isBelievable(block)) blocks.push(block);
  };
  /** `all` are those of the same column. */
  const addText = (some: TextLine[], all: TextLine[]) => {
    for (const runs of paragraphsOf(runsOf(some, all))) {
      const within = runs.flatMap((run) => run.lines);
      add(within, runs.map((run) => textOf(run, compounds)).join('\n'));
    }
  };
  let running: TextLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const grid = gridAt(lines, at);
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
  return { blocks, width: page.width, height: page.height, confidence: confidenceOf(words) };
}

/** Items of a list stay together, and so do single lines; runs of several lines are paragraphs of their own. */
function paragraphsOf(runs: readonly Run[]): Run[][] {
  const paragraphs: Run[][] = [];
  let before: Run | undefined;
  for (const run of runs) {
    const isList = run.marker !== undefined;
    const stays = before && run.follows && isList === (before.marker !== undefined);
    if (stays && (isList || (run.lines.length === 1 && before!.lines.length === 1))) paragraphs.at(-1)!.push(run);
    else paragraphs.push([run]);
    before = run;
  }
  return paragraphs;
}

function textOf({ lines, marker }: Run, compounds: ReadonlySet<string>): string {
  const text = joinLines(
    lines.map(({ words }) => joinWords(words)),
    compounds,
  );
  return marker === undefined ? text : `${marker} ${text}`;
}

function measure(lines: readonly TextLine[], { width, height }: ReadPage): Omit<OcrBlock, 'text'> {
  const words = lines.flatMap((line) => line.words);
  const [left, top, right, bottom] = around(words.map(({ placed }) => placed));
  const part = (value: number, whole: number) => Math.min(1, Math.max(0, whole > 0 ? value / whole : 0));
  const bbox: BlockBox = [part(left, width), part(top, height), part(right, width), part(bottom, height)];
  return { lineHeight: median(lines.map((line) => line.height)), bbox, confidence: confidenceOf(words) };
}

/** Over all letters. */
export function confidenceOf(words: readonly Word[]): number {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  return letters === 0 ? 0 : words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / letters;
}

function isBelievable({ text, confidence }: OcrBlock): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return confidence >= (letters < FEW_LETTERS ? LEAST_OF_FEW : LEAST_CONFIDENCE);
}
