// The cells of a sheet that are shown, by row and column. Only those that there are cost anything, whatever size a sheet claims.
import type { CellObject, Range, WorkSheet } from '@e965/xlsx';
import { readCell, type SheetCell } from './sheet-cell.ts';

export interface SheetRow {
  /** From 0, as in the file. */
  index: number;
  /** By column, from 0, in order. */
  cells: Map<number, SheetCell>;
}

export interface SheetGrid {
  rows: SheetRow[];
  /** By the place of their first cell. */
  merges: Map<string, Range>;
  comments: { place: string; author: string; text: string }[];
  hiddenRows: number;
  hiddenColumns: number;
}

export interface Hidden {
  rows: (index: number) => boolean;
  columns: (index: number) => boolean;
}

export const placeKey = (row: number, column: number): string => `${row}:${column}`;

export function readGrid(sheet: WorkSheet, hidden: Hidden, date1904: boolean): SheetGrid {
  const grid: SheetGrid = { rows: [], merges: mergesOf(sheet), comments: [], hiddenRows: 0, hiddenColumns: 0 };
  const data = (sheet as { '!data'?: (CellObject | undefined)[][] })['!data'] ?? [];
  const hiddenColumns = new Set<number>();
  // Keys instead of indices: rows and columns in between may be millions, and do not exist.
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
  for (const merge of sheet['!merges'] ?? []) merges.set(placeKey(merge.s.r, merge.s.c), merge);
  return merges;
}

function commentsOf(cell: CellObject, row: number, column: number): SheetGrid['comments'] {
  const place = `${columnName(column)}${row + 1}`;
  return (cell.c ?? []).flatMap(({ a = '', t = '' }) => {
    const author = a.trim();
    // Older Excel puts the author into the text as well.
    const own = author !== '' && t.startsWith(`${author}:`) ? t.slice(author.length + 1) : t;
    return own.trim() === '' ? [] : [{ place, author, text: own.trim() }];
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
