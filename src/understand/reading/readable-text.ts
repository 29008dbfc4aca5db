// The text of a page as the reader was trained on it: a block a line, tables and lists of terms as `label: value`. And its
// pieces: what the page itself sets apart as a whole, and could be a value.
import { type HtmlTree, TEXT } from '../../markup/html/html-tree.ts';
import { isBlock, isInvisible, TAG, tagSet } from '../../markup/html/tags.ts';
import { isSetApart } from '../../markup/labels/set-apart.ts';
import { labelledParts } from '../../text/labels/labelled-parts.ts';

export interface Range {
  start: number;
  end: number;
}

export interface ReadableText {
  text: string;
  /** In no order. */
  pieces: Range[];
}

const MAX_TEXT = 100_000;
const MAX_PIECE = 300;
const MAX_PIECES = 20_000;
/** Rows with much text in blocks are layout, not data. */
const MAX_ROW = 300;
const isSkipped = tagSet('select option textarea button input noscript svg');
const LABELLED = /^[^:|]{1,40}:\s+(?=\S)/;

type Joint = 'line' | 'label' | 'cell' | 'space';

class Writer {
  text = '';
  readonly pieces: Range[] = [];
  /** What separates the next words from those before. */
  #joint: Joint | undefined;

  /** The strongest wins: a line is not made a space again. */
  join(joint: Joint): void {
    if (this.text === '') return;
    if (this.#joint === undefined || this.#joint === 'space') this.#joint = joint;
    else if (joint === 'line') this.#joint = 'line';
  }

  /** Adds the words of a text node, which are a piece. */
  add(raw: string): void {
    const words = raw.replace(/[\s\p{Co}]+/gu, ' ');
    const tidy = words.trim();
    if (tidy === '') {
      if (words !== '') this.join('space');
      return;
    }
    if (words.startsWith(' ')) this.join('space');
    this.text += this.#separator();
    this.#joint = undefined;
    const start = this.text.length;
    this.text += tidy;
    this.addPiece({ start, end: this.text.length });
    if (words.endsWith(' ')) this.join('space');
  }

  /** Where the next words begin, whatever separates them. */
  get place(): number {
    return this.text.length + (this.#joint === undefined ? 0 : this.#separator().length);
  }

  addPiece({ start, end }: Range): void {
    const isShort = end > start && end - start <= MAX_PIECE;
    if (isShort && this.pieces.length < MAX_PIECES && !this.text.slice(start, end).includes('\n')) {
      this.pieces.push({ start, end });
    }
  }

  #separator(): string {
    if (this.#joint === undefined) return '';
    if (this.#joint === 'label') return this.text.endsWith(':') ? ' ' : ': ';
    return { line: '\n', cell: ' | ', space: ' ' }[this.#joint];
  }
}

interface OpenElement {
  node: number;
  end: number;
  start: number;
  isLine: boolean;
}

/** `within`: rows and terms are written on one line; their blocks separate nothing but words. */
export function readableText(tree: HtmlTree): ReadableText {
  const writer = new Writer();
  const open: OpenElement[] = [];
  let rowEnd = 0;
  const close = (before: number) => {
    while (open.length > 0 && open.at(-1)!.end <= before) {
      const { start, isLine, end } = open.pop()!;
      writer.addPiece({ start, end: writer.text.length });
      if (isLine) writer.join(end < rowEnd ? 'space' : 'line');
    }
  };
  for (let node = 1; node < tree.size && writer.text.length < MAX_TEXT; node++) {
    close(node);
    if (tree.kind[node] === TEXT) {
      if (isSetApart(tree, node, writer.text)) writer.join('space');
      writer.add(tree.text(node));
      continue;
    }
    const tag = tree.tag[node]!;
    if (isInvisible(tag) || isSkipped(tag)) {
      node = tree.end[node]! - 1;
      continue;
    }
    const isInRow = node < rowEnd;
    if (tag === TAG.br) writer.join(isInRow ? 'space' : 'line');
    if (!isInRow && isRow(tree, node)) rowEnd = tree.end[node]!;
    const isLine = isBlock(tag);
    if (isLine) writer.join(isInRow ? jointInRow(tree, node) : 'line');
    open.push({ node, end: tree.end[node]!, start: writer.place, isLine });
  }
  close(Infinity);
  const text = writer.text.slice(0, MAX_TEXT);
  return {
    text,
    pieces: [...distinct([...writer.pieces, ...linePieces(text)])].filter(({ end }) => end <= text.length),
  };
}

/** A row of data, or a term: its parts stay on one line. */
function isRow(tree: HtmlTree, node: number): boolean {
  if (tree.tag[node] === TAG.dl) return true;
  if (tree.tag[node] !== TAG.tr) return false;
  let length = 0;
  let hasBlocks = false;
  for (let at = node + 1; at < tree.end[node]!; at++) {
    if (tree.tag[at] === TAG.table) return false;
    if (tree.kind[at] === TEXT) length += tree.text(at).length;
    hasBlocks ||= isBlock(tree.tag[at]!) && tree.tag[at] !== TAG.td && tree.tag[at] !== TAG.th;
  }
  return !hasBlocks || length <= MAX_ROW;
}

function jointInRow(tree: HtmlTree, node: number): Joint {
  const tag = tree.tag[node];
  if (tag === TAG.dt) return 'line';
  if (tag === TAG.dd) return 'label';
  if (tag !== TAG.td && tag !== TAG.th) return 'space';
  return filledCells(tree, tree.parent[node]!) === 2 ? 'label' : 'cell';
}

function filledCells(tree: HtmlTree, row: number): number {
  let count = 0;
  for (let cell = row + 1; cell < tree.end[row]!; cell = tree.end[cell]!) {
    let isFilled = false;
    for (let at = cell; at < tree.end[cell]! && !isFilled; at++) isFilled = tree.kind[at] === TEXT && !tree.isBlank(at);
    if (isFilled) count += 1;
  }
  return count;
}

/** Lines, and what stands behind their labels. */
function linePieces(text: string): Range[] {
  const pieces: Range[] = [];
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    const line = text.slice(start, end);
    const parts = labelledParts(line);
    // What stands behind the only label may go on for several sentences.
    const label = parts.length > 1 ? 0 : (LABELLED.exec(line)?.[0].length ?? 0);
    for (const part of [{ start: 0, end: line.length }, { start: label, end: line.length }, ...parts]) {
      if (part.end - part.start <= MAX_PIECE) pieces.push({ start: start + part.start, end: start + part.end });
    }
    start = end + 1;
  }
  return pieces;
}

const distinct = (pieces: readonly Range[]): Iterable<Range> =>
  new Map(
    pieces.filter(({ start, end }) => end > start).map((piece) => [`${piece.start} ${piece.end}`, piece]),
  ).values();

/** A text without markup, such as a document in Markdown. */
export const readableLines = (lines: readonly string[]): ReadableText => {
  const text = lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, MAX_TEXT);
  return { text, pieces: [...distinct(linePieces(text))] };
};

/** Start and end of each, one after the other: cheap to pass between threads. */
export const flatRanges = (ranges: readonly Range[]): Int32Array =>
  Int32Array.from(ranges.flatMap(({ start, end }) => [start, end]));
