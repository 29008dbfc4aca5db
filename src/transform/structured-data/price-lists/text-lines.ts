// The visible lines of a page as readers see them: a row of a table is one line, an element inside of a line a part of it.

import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../../markup/html/node-mask.ts';
import { isBlock, isHeading, isInvisible, TAG, tagSet } from '../../../markup/html/tags.ts';
import { endPrices } from './end-prices.ts';

export interface ShownLine {
  /** The nodes of its texts. */
  from: number;
  to: number;
  /** Elements and cells inside of it are separated by tabs. */
  text: string;
  /** What the markup or the letters make of the whole line, the largest heading first; 0 for text. */
  rank: number;
  /** Its first part is an element of its own. */
  startsWithPart: boolean;
  /** The table of the row, and the header of the table, if the line is one. */
  table?: number;
  header?: string[];
}

export const RANK = { heading: 1, bold: 7, capitals: 8, term: 9 };

const MAX_LINES = 10_000;
const MAX_LINE = 1_000;
const MAX_ROW_NODES = 120;
const MAX_HEADING = 80;
const UNSEEN = /[\u200b\u200e\u200f\u2060\ufeff\u00ad]/;
const UNSEEN_ALL = new RegExp(UNSEEN.source, 'g');
const isSkipped = tagSet('nav footer button select textarea svg math');
const isBold = tagSet('b strong');
const isCell = tagSet('td th');
/** These stress a word in the middle of a text. */
const isNoPart = tagSet('a i em u q cite abbr font wbr img');

export function textLines(tree: HtmlTree, mask: Mask): ShownLine[] {
  return new LineReader(tree, mask).read();
}

class LineReader {
  readonly #tree: HtmlTree;
  readonly #mask: Mask;
  readonly #lines: ShownLine[] = [];
  #text = '';
  #from = 0;
  #to = 0;
  #rank = 0;
  /** Characters of the line that are bold. */
  #bold = 0;
  /** A part begins with the next text. */
  #isPartBorder = false;
  #startsWithPart = false;
  /** The row of a table that is being read, its end, and the header of its table. */
  #row = 0;
  #rowEnd = 0;
  #table = 0;
  #header: string[] | undefined;
  /** Ends of the open elements that matter, the innermost last. */
  readonly #open: number[] = [];
  #boldEnd = 0;
  #rankEnd = 0;
  #rankOfBlock = 0;

  constructor(tree: HtmlTree, mask: Mask) {
    this.#tree = tree;
    this.#mask = mask;
  }

  read(): ShownLine[] {
    const tree = this.#tree;
    const role = tree.attributeNumber('role');
    for (let node = 1; node < tree.size && this.#lines.length < MAX_LINES; node++) {
      this.#close(node);
      if (tree.kind[node] === TEXT) {
        if (this.#mask[node] !== DROPPED) this.#add(node);
        continue;
      }
      if (tree.kind[node] !== ELEMENT) continue;
      const tag = tree.tag[node]!;
      const isOut =
        this.#mask[node] === DROPPED ||
        isSkipped(tag) ||
        isInvisible(tag) ||
        tree.attributeAt(node, role) === 'navigation';
      if (isOut) node = tree.end[node]! - 1;
      else this.#enter(node, tag);
    }
    this.#close(tree.size);
    this.#flush();
    return this.#lines;
  }

  #enter(node: number, tag: number): void {
    const tree = this.#tree;
    if (tag === TAG.table) [this.#table, this.#header] = [node, undefined];
    if (tag === TAG.tr && this.#isLine(node)) {
      this.#flush();
      [this.#row, this.#rowEnd] = [node, tree.end[node]!];
      this.#open.push(tree.end[node]!);
    } else if (this.#row !== 0) this.#isPartBorder = true;
    else if (tag === TAG.br) this.#flush();
    else if (isBlock(tag)) {
      this.#flush();
      this.#open.push(tree.end[node]!);
      if (isHeading(tag)) [this.#rankEnd, this.#rankOfBlock] = [tree.end[node]!, tag - TAG.h1 + RANK.heading];
      else if (tag === TAG.dt) [this.#rankEnd, this.#rankOfBlock] = [tree.end[node]!, RANK.term];
    } else if (!isNoPart(tag) || this.#startsWithNumber(node)) {
      if (this.#text === '') this.#startsWithPart = true;
      this.#isPartBorder = true;
      this.#open.push(-tree.end[node]!);
    }
    if (isBold(tag)) this.#boldEnd = Math.max(this.#boldEnd, tree.end[node]!);
  }

  /** Numbers that are set apart are prices, whatever element that takes. */
  #startsWithNumber(node: number): boolean {
    const next = node + 1;
    return this.#tree.kind[next] === TEXT && /^\s*[\d\p{Sc}]/u.test(this.#tree.text(next).slice(0, 20));
  }

  /** Leaves all elements that end at or before this node. */
  #close(node: number): void {
    while (this.#open.length > 0 && Math.abs(this.#open.at(-1)!) <= node) {
      if (this.#open.pop()! < 0) this.#isPartBorder = true;
      else this.#flush();
    }
    if (this.#rankEnd <= node) this.#rankOfBlock = 0;
    if (this.#row !== 0 && this.#rowEnd <= node) this.#row = 0;
  }

  /** Rows whose last cell has lines of its own lay out a page. */
  #isLine(row: number): boolean {
    const tree = this.#tree;
    if (tree.end[row]! - row > MAX_ROW_NODES) return false;
    let cells = 0;
    let lines = 0;
    for (let node = row + 1; node < tree.end[row]!; node++) {
      const tag = tree.tag[node]!;
      if (tag === TAG.table) return false;
      if (isCell(tag)) [cells, lines] = [cells + 1, 0];
      else if (tree.kind[node] === ELEMENT && (tag === TAG.br || isBlock(tag))) lines += 1;
    }
    return cells > 1 && lines <= 1;
  }

  #add(node: number): void {
    const written = this.#tree.text(node).slice(0, 4 * MAX_LINE);
    const pieces = this.#row === 0 ? linesIn(written) : [written.replace(/\s+/g, ' ')];
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) this.#flush();
      this.#append(node, piece);
    }
  }

  #append(node: number, piece: string): void {
    const text = piece.trim();
    if (text === '') {
      if (this.#text !== '') this.#text += ' ';
      return;
    }
    if (this.#text === '') this.#from = node;
    else if (this.#isPartBorder) this.#text += this.#isCents(node, text) ? '.' : '\t';
    this.#isPartBorder = false;
    if (this.#text.length < MAX_LINE) this.#text += piece;
    if (node < this.#boldEnd) this.#bold += text.length;
    this.#to = node + 1;
    this.#rank = this.#rankOfBlock;
  }

  /** Cents that are raised: "9" and "50" without anything between them. */
  #isCents(node: number, text: string): boolean {
    return this.#tree.tag[this.#tree.parent[node]!] === TAG.sup && /^\d\d$/.test(text) && /\d$/.test(this.#text);
  }

  #flush(): void {
    const text = tidy(this.#text);
    if (text !== '') {
      const isRow = this.#row !== 0 && this.#from > this.#row;
      if (isRow && this.#header === undefined) this.#header = headerOf(this.#tree, this.#row, text) ?? [];
      this.#lines.push({
        from: isRow ? this.#row : this.#from,
        to: this.#to,
        text,
        rank: this.#rank || (isRow ? 0 : this.#rankByLooks(text)),
        startsWithPart: isRow || this.#startsWithPart,
        ...(isRow && { table: this.#table, header: this.#header ?? [] }),
      });
    }
    [this.#text, this.#bold, this.#rank] = ['', 0, 0];
    [this.#isPartBorder, this.#startsWithPart] = [false, false];
  }

  #rankByLooks(text: string): number {
    if (text.length > MAX_HEADING || !/\p{L}{2}/u.test(text)) return 0;
    if (this.#bold >= text.replace(/\s/g, '').length) return RANK.bold;
    return /^[^\p{Ll}\d]*$/u.test(text) && /\p{Lu}{3}/u.test(text) ? RANK.capitals : 0;
  }
}

/** Line breaks of the source are lines only where prices stand before them, as in a text that was laid out in columns. */
function linesIn(text: string): string[] {
  const lines = text.includes('\n') ? text.split('\n') : [];
  const isPriced = (line: string) => /\d/.test(line) && endPrices(line.trim())?.isMoney === true;
  const isLaidOut = lines.length > 1 && (isPriced(lines[0]!) || lines.filter(isPriced).length > 1);
  return (isLaidOut ? lines : [text]).map((line) => line.replace(/\s+/g, ' '));
}

const tidy = (text: string): string => {
  const shown = UNSEEN.test(text) ? text.replaceAll(UNSEEN_ALL, '') : text;
  const parted = shown.includes('\t') ? shown.replace(/ *\t[\t ]*/g, '\t') : shown;
  return (parted.includes('  ') ? parted.replace(/ +/g, ' ') : parted).trim();
};

/** The cells of the first row, if it is a header: none of them is only a number. */
function headerOf(tree: HtmlTree, row: number, text: string): string[] | undefined {
  const cells: number[] = [];
  for (let node = row + 1; node < tree.end[row]!; node++) if (isCell(tree.tag[node]!)) cells.push(node);
  if (!cells.some((cell) => tree.tag[cell] === TAG.th) || /(?:^|\t)[^\p{L}\t]*\d[^\p{L}\t]*(?:\t|$)/u.test(text))
    return undefined;
  return cells.map((cell) => {
    let content = '';
    for (let node = cell; node < tree.end[cell]!; node++) if (tree.kind[node] === TEXT) content += tree.text(node);
    return tidy(content.replace(/\s+/g, ' '));
  });
}
