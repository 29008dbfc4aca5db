// The visible cells of a sheet by row and column. Sparse: the cost does not depend on the size that a sheet claims.
import type { CellObject, Range, WorkSheet } from '@e965/xlsx';
import { readCell, type SheetCell } from './sheet-cell.ts';

export interface SheetRow {
  /** Row number in the file, from 0. */
  index: number;
  /** By column number from 0, in order. */
  cells: Map<number, SheetCell>;
}

export interface SheetGrid {
  rows: SheetRow[];
  /** By `cellKey` of their first cell. */
  merges: Map<string, Range>;
  comments: { address: string; author: string; text: string }[];
  hiddenRows: number;
  hiddenColumns: number;
}

export interface HiddenTest {
  rows: (index: number) => boolean;
  columns: (index: number) => boolean;
}

export const cellKey = (row: number, column: number): string => `${row}:${column}`;

export function readGrid(sheet: WorkSheet, hidden: HiddenTest, date1904: boolean): SheetGrid {
  const grid: SheetGrid = { rows: [], merges: mergesOf(sheet), comments: [], hiddenRows: 0, hiddenColumns: 0 };
  const data = (sheet as { '!data'?: (CellObject | undefined)[][] })['!data'] ?? [];
  const hiddenColumns = new Set<number>();
  // Iterates keys, not indices: there may be millions of missing rows and columns in between.
  for (const key of Object.keys(data)) {
    const index = Number(key);
    const row: SheetRow = { index, cells: new Map() };
    for (const [column, cell] of Object.entries(data[index] ?? [])) {
      const shown = cell && readCell(cell, date1904);
      if (shown && hidden.columns(Number(column))) hiddenColumns.add(Number(column));
      else if (shown) row.cells.set(Number(column), shown);
      if (cell?.c && !hidden.rows(index)) grid.comments.push(...commentsOf(cell, index, Number(column)));
    }
    if (row.cells.size === 0) continue;
    if (hidden.rows(index)) grid.hiddenRows += 1;
    else grid.rows.push(row);
  }
  grid.hiddenColumns = hiddenColumns.size;
  return grid;
}

function mergesOf(sheet: WorkSheet): Map<string, Range> {
  const merges = new Map<string, Range>();
  for (const merge of sheet['!merges'] ?? []) merges.set(cellKey(merge.s.r, merge.s.c), merge);
  return merges;
}

function commentsOf(cell: CellObject, row: number, column: number): SheetGrid['comments'] {
  const address = `${columnName(column)}${row + 1}`;
  return (cell.c ?? []).flatMap(({ a = '', t = '' }) => {
    const author = a.trim();
    // Older versions of Excel repeat the author in the text.
    const own = author !== '' && t.startsWith(`${author}:`) ? t.slice(author.length + 1) : t;
    return own.trim() === '' ? [] : [{ address, author, text: own.trim() }];
  });
}

/** A, B, ... Z, AA, AB, ... */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}
