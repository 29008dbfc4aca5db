// Code whose lines are elements of their own, often beside a column of consecutive numbers: in rows, in two cells, or in boxes.
import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { TAG } from '../../../markup/html/tags.ts';
import { codeText, isGutter } from './code-block.ts';

const LINE = /(?:^|\s)(?:[\w-]+-)?line(?:$|\s)/i;
const CODE_BOX = /code|fragment|highlight|source|view-lines|editor/i;
const NUMBERS = /line-?n(?:o|um|umber)?s?(?:$|[\s_-])|gutter/i;
const FEW_NUMBERS = 3;
const MAX_DIGITS = 7;

export interface CodeTable {
  lines: string[];
  /** The element that may say the language. */
  listing: number;
}

/** The lines of a table that lays out code: a number and a line per row, or all numbers in a cell beside all lines. */
export function codeTable(tree: HtmlTree, table: number, rows: number[]): CodeTable | undefined {
  if (rows.length === 1) return codeBesideNumbers(tree, table, rows[0]!);
  const lines: string[] = [];
  for (const row of rows) {
    const gutter = elementFrom(tree, row + 1, tree.end[row]!);
    if (gutter === tree.end[row]) return undefined;
    const cell = elementFrom(tree, tree.end[gutter]!, tree.end[row]!);
    const isPair = cell < tree.end[row]! && elementFrom(tree, tree.end[cell]!, tree.end[row]!) === tree.end[row];
    if (!isPair || !(isGutter(tree, gutter) || tree.attribute(gutter, 'data-line-number') !== undefined))
      return undefined;
    lines.push(codeText(tree, cell).replace(/\n$/, ''));
  }
  return lines.length > 1 ? { lines, listing: table } : undefined;
}

function codeBesideNumbers(tree: HtmlTree, table: number, row: number): CodeTable | undefined {
  const end = tree.end[row]!;
  const gutter = elementFrom(tree, row + 1, end);
  const cell = gutter < end ? elementFrom(tree, tree.end[gutter]!, end) : end;
  if (cell === end || elementFrom(tree, tree.end[cell]!, end) < end) return undefined;
  const numbers = countNumbers(tree, gutter);
  if (numbers === 0 || !(numbers >= FEW_NUMBERS || holdsCode(tree, table))) return undefined;
  const lines = tidyLines(codeText(tree, cell));
  if (lines.length === 0 || Math.abs(lines.length - numbers) > 1) return undefined;
  let listing = table;
  for (let node = cell; node < tree.end[cell]! && listing === table; node++) {
    if (tree.tag[node] === TAG.pre) listing = node;
  }
  return { lines, listing };
}

/** The lines of a box whose children are lines by name, or begin with consecutive numbers. */
export function codeLines(tree: HtmlTree, box: number): string[] | undefined {
  const end = tree.end[box]!;
  const first = elementFrom(tree, box + 1, end);
  if (first === end) return undefined;
  const isNamed = CODE_BOX.test(tree.attribute(box, 'class') ?? '') && isLine(tree, first);
  const start = isNamed ? 0 : numberOf(tree, first);
  if (!isNamed && start < 0) return undefined;
  const children: number[] = [];
  for (let child = first; child < end; child = elementFrom(tree, tree.end[child]!, end)) {
    if (isNamed ? !isLine(tree, child) : numberOf(tree, child) !== start + children.length) return undefined;
    children.push(child);
  }
  if (children.length < 2) return undefined;
  const lines = withoutMargin(children.map((child) => trimBlank(codeText(tree, child).replace(/\n$/, ''))));
  return lines.some((line) => line !== '') ? lines : undefined;
}

const isLine = (tree: HtmlTree, node: number): boolean => LINE.test(tree.attribute(node, 'class') ?? '');

/** The number in the gutter that a line begins with; -1 if it has none. */
function numberOf(tree: HtmlTree, line: number): number {
  for (let node = line + 1; node < tree.end[line]!; node++) {
    if (tree.kind[node] !== TEXT || tree.isBlank(node)) continue;
    const text = tree.text(node).trim();
    if (!/^\d{1,7}$/.test(text)) return -1;
    for (let at = tree.parent[node]!; at > line; at = tree.parent[at]!) if (isGutter(tree, at)) return Number(text);
    return -1;
  }
  return -1;
}

/** Whether a box named as a gutter has nothing but consecutive numbers. */
export function isNumberColumn(tree: HtmlTree, node: number): boolean {
  return NUMBERS.test(tree.attribute(node, 'class') ?? '') && countNumbers(tree, node) > 0;
}

/** How many consecutive numbers an element consists of; 0 if it has anything else. */
function countNumbers(tree: HtmlTree, root: number): number {
  let count = 0;
  let last = -1;
  for (let node = root; node < tree.end[root]!; node++) {
    if (tree.kind[node] !== TEXT || tree.isBlank(node)) continue;
    for (const word of tree.text(node).trim().split(/\s+/)) {
      if (word.length > MAX_DIGITS || !/^\d+$/.test(word)) return 0;
      if (last >= 0 && Number(word) !== last + 1) return 0;
      last = Number(word);
      count += 1;
    }
  }
  return count;
}

function holdsCode(tree: HtmlTree, root: number): boolean {
  for (let node = root + 1; node < tree.end[root]!; node++) {
    if (tree.tag[node] === TAG.pre || tree.tag[node] === TAG.code) return true;
  }
  return false;
}

function tidyLines(code: string): string[] {
  const lines = code.split('\n').map(trimBlank);
  const first = lines.findIndex((line) => line !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}

/** Editors put a space into empty lines, so that they have a height. */
const trimBlank = (line: string): string => (line.trim() === '' ? '' : line);

/** A space between each number and its line is no code. */
function withoutMargin(lines: string[]): string[] {
  return lines.every((line) => line === '' || line.startsWith(' ')) ? lines.map((line) => line.slice(1)) : lines;
}

/** The first element among the nodes from here on; `end` if there is none. */
function elementFrom(tree: HtmlTree, from: number, end: number): number {
  let node = from;
  while (node < end && tree.kind[node] !== ELEMENT) node = tree.end[node]!;
  return node;
}
