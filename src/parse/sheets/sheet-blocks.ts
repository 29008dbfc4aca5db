// Splits a sheet into titles, tables and remarks, by empty rows and by rows that look like headers.
import type { SheetCell } from './sheet-cell.ts';
import type { SheetRow } from './sheet-grid.ts';

export interface SheetBlock {
  rows: SheetRow[];
  hasHeader: boolean;
}

/** How many rows below a header are examined. */
const SAMPLE_ROWS = 20;

export function splitBlocks(rows: readonly SheetRow[]): SheetBlock[] {
  const groups: SheetRow[][] = [];
  for (const row of rows) {
    const open = groups.at(-1);
    if (open && row.index === open.at(-1)!.index + 1) open.push(row);
    else groups.push([row]);
  }
  const blocks: SheetBlock[] = [];
  for (const group of groups) {
    for (const part of withoutTitles(group)) {
      const hasHeader = looksLikeHeader(part);
      const before = blocks.at(-1);
      // A single empty row inside a table does not end it.
      if (before && !hasHeader && continues(before.rows, part)) for (const row of part) before.rows.push(row);
      else blocks.push({ rows: part, hasHeader });
    }
  }
  return blocks;
}

/** Separates single cells above a table, which are its title. */
function withoutTitles(group: SheetRow[]): SheetRow[][] {
  const first = group.findIndex(({ cells }) => cells.size > 1);
  if (first <= 0) return [group];
  return [group.slice(0, first), group.slice(first)];
}

function continues(table: readonly SheetRow[], part: readonly SheetRow[]): boolean {
  const isTable = (rows: readonly SheetRow[]) => rows.some(({ cells }) => cells.size > 1);
  if (!isTable(table) || !isTable(part)) return false;
  const last = table.at(-1)!;
  const wanted = last.cells.size;
  const shared = [...part[0]!.cells.keys()].filter((column) => last.cells.has(column)).length;
  return part[0]!.index - last.index === 2 && shared * 2 >= wanted;
}

/** The first row is a header if all its cells are text, years, or dates above columns without dates. */
function looksLikeHeader(rows: readonly SheetRow[]): boolean {
  const [first, ...rest] = rows;
  if (!first || rest.length === 0 || first.cells.size < 2) return false;
  const sample = rest.slice(0, SAMPLE_ROWS);
  for (const [column, cell] of first.cells) if (!isLabel(cell, column, sample)) return false;
  return true;
}

function isLabel(cell: SheetCell, column: number, below: readonly SheetRow[]): boolean {
  if (cell.kind === 'text' || cell.isYear) return true;
  if (cell.kind !== 'date') return false;
  return below.every(({ cells }) => cells.get(column)?.kind !== 'date');
}
