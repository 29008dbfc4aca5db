// Lays out the cells of a table as a grid, with spans resolved, and distinguishes data tables from layout tables.
import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { KEPT, type Mask, textLength } from '../../../markup/html/node-mask.ts';
import { isHeading, TAG, tagSet } from '../../../markup/html/tags.ts';

export interface Grid {
  /** Cell nodes by row and column; 0 where a span continues or a cell is missing. */
  rows: number[][];
  columns: number;
  caption: number;
  /** Is the first row a header? */
  hasHeader: boolean;
}

const MAX_COLUMNS = 200;
const MAX_SPAN = 1000;
const LONG_CELL = 400;
const isSection = tagSet('thead tbody tfoot');
const isStructure = tagSet('ul ol dl pre blockquote hr form figure article section');

/** The grid of a data table; undefined for a layout table, whose cells are ordinary blocks. */
export function dataGrid(tree: HtmlTree, mask: Mask, table: number): Grid | undefined {
  if (/^(?:presentation|none)$/i.test(tree.attribute(table, 'role') ?? '')) return undefined;
  // LaTeXML lays out equations as tables.
  if (/(?:^|\s)ltx_(?:equation|eqn)/.test(tree.attribute(table, 'class') ?? '')) return undefined;
  const isAria = tree.tag[table] !== TAG.table;
  const { rows, caption } = isAria ? ariaRowsOf(tree, mask, table) : rowsOf(tree, mask, table);
  const grid = layOut(tree, mask, rows, isAria ? ariaCellsOf : cellsOf);
  if (grid.length < 2) return undefined;
  const columns = Math.max(...grid.map((row) => row.length));
  if (columns < 2 || columns > MAX_COLUMNS) return undefined;
  if (!isAria && looksLikeLayout(tree, mask, table, caption !== 0)) return undefined;
  for (const row of grid) while (row.length < columns) row.push(0);
  return { rows: grid, columns, caption, hasHeader: startsWithHeader(tree, grid) };
}

export function rowsOf(tree: HtmlTree, mask: Mask, table: number): { rows: number[]; caption: number } {
  const rows: number[] = [];
  let caption = 0;
  for (let node = table + 1; node < tree.end[table]!; node = tree.end[node]!) {
    if (mask[node] !== KEPT) continue;
    const tag = tree.tag[node]!;
    if (tag === TAG.caption) caption = node;
    if (tag === TAG.tr) rows.push(node);
    if (!isSection(tag)) continue;
    for (let row = node + 1; row < tree.end[node]!; row = tree.end[row]!) {
      if (tree.tag[row] === TAG.tr && mask[row] === KEPT) rows.push(row);
    }
  }
  return { rows, caption };
}

/** The elements with these roles, but not those of a table inside. */
function withRoles(tree: HtmlTree, mask: Mask, root: number, roles: RegExp): number[] {
  const role = tree.attributeNumber('role');
  const found: number[] = [];
  for (let node = root + 1; node < tree.end[root]!; node++) {
    if (tree.kind[node] !== ELEMENT) continue;
    const name = tree.attributeAt(node, role);
    if (mask[node] !== KEPT || name === undefined) continue;
    if (roles.test(name)) found.push(node);
    if (roles.test(name) || ARIA_TABLE.test(name)) node = tree.end[node]! - 1;
  }
  return found;
}

const ARIA_TABLE = /^(?:table|(?:tree)?grid)$/;
const ARIA_CELL = /^(?:(?:grid)?cell|columnheader|rowheader)$/;

const ariaRowsOf = (tree: HtmlTree, mask: Mask, table: number): { rows: number[]; caption: number } => ({
  rows: withRoles(tree, mask, table, /^row$/),
  caption: 0,
});

const ariaCellsOf = (tree: HtmlTree, mask: Mask, row: number): number[] => withRoles(tree, mask, row, ARIA_CELL);

function cellsOf(tree: HtmlTree, _: Mask, row: number): number[] {
  const cells: number[] = [];
  for (let cell = row + 1; cell < tree.end[row]!; cell = tree.end[cell]!) {
    if (tree.tag[cell] === TAG.td || tree.tag[cell] === TAG.th) cells.push(cell);
  }
  return cells;
}

type CellsOf = (tree: HtmlTree, mask: Mask, row: number) => number[];

function layOut(tree: HtmlTree, mask: Mask, rows: number[], cellsIn: CellsOf): number[][] {
  // For how many more rows each column is covered by a cell from above.
  const taken: number[] = [];
  const grid: number[][] = [];
  for (const row of rows) {
    const line: number[] = [];
    const skipTaken = () => {
      while (line.length < MAX_COLUMNS && (taken[line.length] ?? 0) > 0) {
        taken[line.length]! -= 1;
        line.push(0);
      }
    };
    for (const cell of cellsIn(tree, mask, row)) {
      skipTaken();
      const across = span(tree, cell, 'colspan');
      const down = span(tree, cell, 'rowspan');
      for (let step = 0; step < across && line.length <= MAX_COLUMNS; step++) {
        taken[line.length] = down - 1;
        // What is empty or left out still has its place.
        line.push(step === 0 && mask[cell] === KEPT ? cell : 0);
      }
    }
    skipTaken();
    if (line.some((cell) => cell !== 0)) grid.push(line);
  }
  return grid;
}

const span = (tree: HtmlTree, cell: number, name: string): number => {
  const value = Number.parseInt(tree.attribute(cell, name) ?? tree.attribute(cell, `aria-${name}`) ?? '1', 10);
  return Number.isFinite(value) ? Math.min(Math.max(value, 1), MAX_SPAN) : 1;
};

/**
 * Nested tables, headings and long structured cells mean page layout, unless the table has headers or a caption. Then even a
 * small table may be nested.
 */
function looksLikeLayout(tree: HtmlTree, mask: Mask, table: number, captioned: boolean): boolean {
  let declared = captioned;
  let structures = 0;
  let cellStart = 0;
  let cellText = 0;
  let longCell = false;
  for (let node = table + 1; node < tree.end[table]!; node++) {
    if (mask[node] !== KEPT) continue;
    const tag = tree.tag[node]!;
    if (tree.kind[node] === TEXT) {
      cellText += node < tree.end[cellStart]! ? tree.text(node).trim().length : 0;
      longCell ||= cellText > LONG_CELL;
      continue;
    }
    if (tag === TAG.table) {
      if (!declared || textLength(tree, mask, node) > LONG_CELL) return true;
      node = tree.end[node]! - 1;
      continue;
    }
    if (tag === TAG.th || tag === TAG.thead) declared = true;
    if (tag === TAG.td || tag === TAG.th) [cellStart, cellText] = [node, 0];
    if (isHeading(tag) || isStructure(tag)) structures += 1;
  }
  return !declared && (structures > 0 || longCell);
}

function startsWithHeader(tree: HtmlTree, grid: number[][]): boolean {
  const first = grid[0]!.filter((cell) => cell !== 0);
  const row = tree.parent[first[0]!]!;
  if (tree.tag[tree.parent[row]!] === TAG.thead) return true;
  const heads = (cells: number[]) => cells.filter((cell) => isHead(tree, cell)).length;
  if (heads(first) === first.length) return true;
  // Only row headers: a list of names and values, which gets an empty header row.
  // No header at all: the first row is the best guess.
  return !grid.some((line) => heads(line) > 0);
}

const isHead = (tree: HtmlTree, cell: number): boolean =>
  tree.tag[cell] === TAG.th || /^(?:column|row)header$/.test(tree.attribute(cell, 'role') ?? '');
