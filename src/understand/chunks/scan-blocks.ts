// Finds the blocks of a Markdown text, line by line and in time that grows with its length only. Quotes are seen through:
// what stands in them are blocks of their own, whose lines begin with the signs of the quote.
import {
  beginsTable,
  closesFence,
  contentOf,
  fenceIn,
  headingLevel,
  htmlEnd,
  indentOf,
  interrupts,
  isBlank,
  isRule,
  itemIndent,
  type Lines,
  linesOf,
  quoteSigns,
} from './markdown-lines.ts';

export interface ScannedBlock {
  /** `lines`: indented code, HTML and the like, whose lines belong together. */
  kind: 'heading' | 'paragraph' | 'list' | 'table' | 'fence' | 'lines';
  /** Each block ends where the next one begins: together they are the text. */
  start: number;
  end: number;
  lines: Lines;
  /** Its first line, and the one after its last line that is not empty. */
  first: number;
  last: number;
  /** The level of a heading outside of quotes, which begins a section. */
  level: number | undefined;
  /** The lines with which the items of a list begin. */
  items: number[];
  /** Whether a code block has its closing fence. */
  isClosed: boolean;
}

interface Found extends Partial<Pick<ScannedBlock, 'level' | 'items' | 'isClosed'>> {
  kind: ScannedBlock['kind'] | 'quote';
  last: number;
}

/** Quotes in more quotes than this are taken as they are. */
const MAX_DEPTH = 8;
/** No page that anybody reads has more; what follows then is only lines. */
const MAX_BLOCKS = 200_000;
const CODE_INDENT = 4;
const MATH = '$$';
const NONE: number[] = [];

export function scanBlocks(text: string): ScannedBlock[] {
  const blocks: ScannedBlock[] = [];
  scanLines(linesOf(text), 0, blocks);
  for (const [at, block] of blocks.entries()) {
    if (at === 0) block.start = 0;
    block.end = blocks[at + 1]?.start ?? text.length;
  }
  return blocks;
}

function scanLines(lines: Lines, depth: number, blocks: ScannedBlock[]): void {
  for (let first = 0; first < lines.froms.length; ) {
    const content = contentOf(lines, first);
    if (isBlank(content)) {
      first += 1;
      continue;
    }
    const before = blocks.length;
    const isFull = before >= MAX_BLOCKS;
    const found: Found = isFull ? { kind: 'lines', last: lines.froms.length } : readBlock(lines, first, content);
    const { kind, last, level, items = NONE, isClosed = false } = found;
    if (kind === 'quote' && depth < MAX_DEPTH) scanLines(withoutQuote(lines, first, last), depth + 1, blocks);
    // A quote may be empty, or too deep.
    if (kind !== 'quote' || blocks.length === before) {
      const start = lines.starts[first]!;
      const own = kind === 'quote' ? 'lines' : kind;
      const section = depth === 0 ? level : undefined;
      blocks.push({ kind: own, start, end: start, lines, first, last, level: section, items, isClosed });
    }
    first = last;
  }
}

function withoutQuote(lines: Lines, first: number, last: number): Lines {
  const froms: number[] = [];
  for (let line = first; line < last; line += 1) {
    froms.push(lines.froms[line]! + quoteSigns(contentOf(lines, line)));
  }
  return { text: lines.text, starts: lines.starts.slice(first, last + 1), froms };
}

function readBlock(lines: Lines, first: number, content: string): Found {
  if (indentOf(content) >= CODE_INDENT) return { kind: 'lines', last: endOfCode(lines, first) };
  const level = headingLevel(content);
  if (level > 0) return { kind: 'heading', last: first + 1, level };
  if (isRule(content)) return { kind: 'lines', last: first + 1 };
  if (quoteSigns(content) > 0) return { kind: 'quote', last: endOfQuote(lines, first) };
  if (fenceIn(content)) return readFence(lines, first, content);
  if (itemIndent(content) > 0) return readList(lines, first);
  if (beginsTable(lines, first)) return { kind: 'table', last: endOfTable(lines, first + 2) };
  if (content.trim() === MATH) return { kind: 'lines', last: endOfMath(lines, first + 1) };
  const ending = htmlEnd(content);
  if (ending !== undefined) return { kind: 'lines', last: endOfHtml(lines, first, ending) };
  let last = first + 1;
  while (last < lines.froms.length && !isBlank(contentOf(lines, last)) && !interrupts(lines, last)) last += 1;
  return { kind: 'paragraph', last };
}

/** Empty lines belong to indented code if more code follows. */
function endOfCode(lines: Lines, first: number): number {
  let last = first + 1;
  for (let line = last; line < lines.froms.length; line += 1) {
    const content = contentOf(lines, line);
    if (isBlank(content)) continue;
    if (indentOf(content) < CODE_INDENT) break;
    last = line + 1;
  }
  return last;
}

function endOfQuote(lines: Lines, first: number): number {
  let last = first + 1;
  while (last < lines.froms.length && quoteSigns(contentOf(lines, last)) > 0) last += 1;
  return last;
}

function readFence(lines: Lines, first: number, opening: string): Found {
  const fence = fenceIn(opening)!;
  for (let line = first + 1; line < lines.froms.length; line += 1) {
    if (closesFence(contentOf(lines, line), fence)) return { kind: 'fence', last: line + 1, isClosed: true };
  }
  return { kind: 'fence', last: lines.froms.length, isClosed: false };
}

/** Items of any kind that follow each other, with all that is indented below them. */
function readList(lines: Lines, first: number): Found {
  const items = [first];
  let indent = itemIndent(contentOf(lines, first));
  let last = first + 1;
  let isAfterBlank = false;
  for (let line = last; line < lines.froms.length; line += 1) {
    const content = contentOf(lines, line);
    if (isBlank(content)) {
      isAfterBlank = true;
      continue;
    }
    if (indentOf(content) < indent) {
      const own = itemIndent(content);
      if (own > 0) {
        items.push(line);
        indent = own;
      } else if (isAfterBlank || interrupts(lines, line)) break;
    }
    isAfterBlank = false;
    last = line + 1;
  }
  return { kind: 'list', last, items };
}

function endOfTable(lines: Lines, from: number): number {
  let last = from;
  for (; last < lines.froms.length; last += 1) {
    const content = contentOf(lines, last);
    if (isBlank(content) || (!content.includes('|') && interrupts(lines, last))) break;
  }
  return last;
}

function endOfMath(lines: Lines, from: number): number {
  let line = from;
  for (; line < lines.froms.length; line += 1) {
    const content = contentOf(lines, line).trim();
    if (content === MATH) return line + 1;
    if (content === '') break;
  }
  return line;
}

function endOfHtml(lines: Lines, first: number, ending: string): number {
  let last = first;
  for (let line = first; line < lines.froms.length; line += 1) {
    const content = contentOf(lines, line);
    if (!isBlank(content)) last = line + 1;
    if (ending === '' ? isBlank(content) : content.toLowerCase().includes(ending)) break;
  }
  return last;
}
