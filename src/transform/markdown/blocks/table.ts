// Tables in GFM syntax, without empty columns; also those that only their roles make tables. Layout tables become blocks, and code laid out as a table a code block.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { KEPT } from '../../../markup/html/node-mask.ts';
import { markdownTable } from '../../../markup/markdown-table.ts';
import type { Emitter, Handler } from '../emitter.ts';
import { fenced } from './code-block.ts';
import { languageOf } from './code-language.ts';
import { codeTable } from './numbered-code.ts';
import { dataGrid, type Grid, rowsOf } from './table-grid.ts';

export const table: Handler = (emitter, node) => {
  const { tree, context } = emitter;
  if (emitter.insideCell && !emitter.singleLine) return nestedTable(emitter, node);
  if (emitter.singleLine) return emitter.block(node);
  const code = codeTable(tree, node, rowsOf(tree, context.mask, node).rows);
  if (code) return emitter.listing(fenced(code.lines, languageOf(tree, code.listing) || languageOf(tree, node)));
  const grid = dataGrid(tree, context.mask, node);
  if (!grid) return emitter.block(node);
  emitter.boundary();
  if (grid.caption !== 0) emitter.block(grid.caption);
  const rows = grid.rows.map((row) => row.map((cell) => (cell === 0 ? '' : emitter.cell(cell))));
  const used = usedColumns(rows, grid.columns);
  if (used.length === 0) return;
  if (!grid.hasHeader) rows.unshift(new Array<string>(grid.columns).fill(''));
  const filled = rows
    .map((row) => used.map((column) => row[column]!))
    .filter((row, at) => at === 0 || row.some((cell) => cell !== ''));
  const rules = used.map((column) => alignment(tree, grid, column));
  emitter.writer.block('table', markdownTable(filled, rules).split('\n'));
};

/** In a cell: a line for each row. */
function nestedTable(emitter: Emitter, node: number): void {
  const { tree, context } = emitter;
  emitter.boundary();
  for (const row of rowsOf(tree, context.mask, node).rows) {
    for (let cell = row + 1; cell < tree.end[row]!; cell = tree.end[cell]!) {
      if (context.mask[cell] === KEPT) emitter.children(cell);
      emitter.space();
    }
    emitter.boundary();
  }
}

/** Leaves out columns that are only spacing. */
function usedColumns(rows: string[][], columns: number): number[] {
  const used: number[] = [];
  for (let column = 0; column < columns; column++) if (rows.some((row) => row[column] !== '')) used.push(column);
  return used;
}

const ALIGNMENT_RULE: Record<string, string> = { left: ':---', right: '---:', center: ':---:' };

/** The alignment that the first two rows declare; the header wins if they differ. */
function alignment(tree: HtmlTree, { rows }: Grid, column: number): string {
  for (const row of rows.slice(0, 2)) {
    const cell = row[column]!;
    if (cell === 0) continue;
    const style = /text-align\s*:\s*(left|right|center)/i.exec(tree.attribute(cell, 'style') ?? '')?.[1];
    const rule = ALIGNMENT_RULE[(style ?? tree.attribute(cell, 'align') ?? '').toLowerCase()];
    if (rule !== undefined) return rule;
  }
  return '---';
}
