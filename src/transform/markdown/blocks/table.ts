// Tables in GFM syntax, without empty columns. Layout tables become blocks, and code laid out as a table a code block.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { markdownTable } from '../../../markup/markdown-table.ts';
import type { Handler } from '../emitter.ts';
import { codeTable, fenced } from './code-block.ts';
import { languageOf } from './code-language.ts';
import { dataGrid, type Grid, rowsOf } from './table-grid.ts';

export const table: Handler = (emitter, node) => {
  const { tree, context } = emitter;
  if (emitter.singleLine || emitter.insideCell) return emitter.block(node);
  const code = codeTable(tree, rowsOf(tree, context.mask, node).rows);
  if (code) {
    emitter.boundary();
    return emitter.writer.block('code', fenced(code, languageOf(tree, node)));
  }
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
