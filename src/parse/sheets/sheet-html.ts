// Writes a sheet as HTML: paragraphs and tables with merged cells, within a budget of cells.
import type { Range } from '@e965/xlsx';
import { type SheetBlock, splitBlocks } from './sheet-blocks.ts';
import type { SheetCell } from './sheet-cell.ts';
import { cellKey, columnName, type SheetGrid, type SheetRow } from './sheet-grid.ts';

export interface CellBudget {
  /** Remaining cells, including empty ones. */
  left: number;
}

export interface SheetHtml {
  html: string;
  /** Number of the first row that was left out, from 1. */
  cutAt?: number;
}

/** The transform does not accept wider tables, so they are split into several. */
const TABLE_COLUMNS = 200;

export function sheetHtml({ rows, merges }: SheetGrid, budget: CellBudget): SheetHtml {
  const parts: string[] = [];
  for (const block of splitBlocks(rows)) {
    const columns = columnsOf(block.rows);
    const fitting = Math.floor(budget.left / columns.length);
    const shown = { ...block, rows: block.rows.slice(0, fitting) };
    budget.left -= shown.rows.length * columns.length;
    if (shown.rows.length > 0) parts.push(blockHtml(shown, columns, merges));
    if (shown.rows.length < block.rows.length) {
      return { html: parts.join('\n'), cutAt: block.rows[shown.rows.length]!.index + 1 };
    }
  }
  return { html: parts.join('\n') };
}

/** The columns that have content, in order. */
function columnsOf(rows: readonly SheetRow[]): number[] {
  const columns = new Set<number>();
  for (const { cells } of rows) for (const column of cells.keys()) columns.add(column);
  return [...columns].sort((a, b) => a - b);
}

function blockHtml(block: SheetBlock, columns: readonly number[], merges: ReadonlyMap<string, Range>): string {
  if (columns.length === 1) return `<p>${block.rows.map(({ cells }) => cells.get(columns[0]!)!.html).join('<br>')}</p>`;
  if (columns.length <= TABLE_COLUMNS) return tableHtml(block, columns, merges);
  const parts: string[] = [];
  for (let from = 0; from < columns.length; from += TABLE_COLUMNS) {
    const slice = columns.slice(from, from + TABLE_COLUMNS);
    parts.push(
      `<p>Columns ${columnName(slice[0]!)} to ${columnName(slice.at(-1)!)}:</p>`,
      tableHtml(block, slice, merges),
    );
  }
  return parts.join('\n');
}

function tableHtml(
  { rows, hasHeader }: SheetBlock,
  columns: readonly number[],
  merges: ReadonlyMap<string, Range>,
): string {
  const indices = rows.map(({ index }) => index);
  const covered = new Set<number>();
  const lines = rows.map(({ index, cells }, line) => {
    const tag = hasHeader && line === 0 ? 'th' : 'td';
    const written = columns.map((column, at) => {
      if (covered.has(line * columns.length + at)) return '';
      const cell = cells.get(column);
      const merge = cell && merges.get(cellKey(index, column));
      const down = merge ? countUpTo(indices, merge.e.r, line) : 1;
      const across = merge ? countUpTo(columns, merge.e.c, at) : 1;
      for (let row = line; row < line + down; row++) {
        for (let step = at; step < at + across; step++) covered.add(row * columns.length + step);
      }
      return cellHtml(tag, cell, across, down);
    });
    return `<tr>${written.join('')}</tr>`;
  });
  // Markdown tables need a header; an empty one keeps the first row of values from becoming it.
  const head = hasHeader ? lines.shift()! : `<tr>${'<th></th>'.repeat(columns.length)}</tr>`;
  return `<table>\n<thead>\n${head}\n</thead>\n<tbody>\n${lines.join('\n')}\n</tbody>\n</table>`;
}

/** How many of the sorted numbers, starting at `from`, are at most `last`. */
function countUpTo(numbers: readonly number[], last: number, from: number): number {
  let low = from;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= last) low = middle + 1;
    else high = middle;
  }
  return Math.max(1, low - from);
}

function cellHtml(tag: string, cell: SheetCell | undefined, across: number, down: number): string {
  const spans = `${across > 1 ? ` colspan="${across}"` : ''}${down > 1 ? ` rowspan="${down}"` : ''}`;
  const side = cell?.kind === 'number' ? ' align="right"' : '';
  return `<${tag}${spans}${side}>${cell?.html ?? ''}</${tag}>`;
}
