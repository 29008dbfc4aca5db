// Whether what was taken for a table is one, which of two readings of it is better, and how it is written.
import type { Part } from '../page-parts.ts';

// The numbers along the side of a chart.
const SCALE = /^(?:[-+]?[\d.,]+%? ){4}[-+]?[\d.,]+%?/;

/** A line, or a chart. */
export const isNoTable = ({ kind, rows = [] }: Part): boolean =>
  kind === 'table' && (rows.length === 1 || rows.some((row) => row.some((cell) => SCALE.test(cell))));

/** Prose in columns makes a few rows of words, and so do the labels of a chart. */
export const isPlausible = (table: Part): boolean => (table.rows ?? []).length >= 3 && !isProse(table);

export function isProse({ kind, rows = [] }: Part): boolean {
  const cells = rows.flat().filter((cell) => cell !== '');
  const small = cells.filter((cell) => /^\p{Ll}/u.test(cell)).length;
  const figures = cells.filter((cell) => /\d/.test(cell)).length;
  return kind === 'table' && small * 3 >= cells.length && figures * 3 < cells.length;
}

// `15 27,926`: two rows or two columns that became one.
const SEVERAL_FIGURES = /^[-+]?[\d.,]*\d%? [-+]?[\d.,]*\d%?(?: |$)/;

/** How many rows look wrong: lines of one row that became rows, rows that became one, and rows that hold next to nothing. */
export function faultsOf({ rows = [] }: Part): number {
  const width = widthOf(rows);
  let faults = 0;
  for (const row of rows.slice(1)) {
    const filled = row.filter((cell) => cell !== '').length;
    if (filled === 0) faults++;
    // The rest of a cell that the line before began.
    else if (row[0] === '' && filled < width / 2) faults++;
    else if (filled === 1 && width > 2 && /^\p{Ll}/u.test(row.find((cell) => cell !== '')!)) faults++;
    else if (row.some((cell) => SEVERAL_FIGURES.test(cell))) faults++;
  }
  return faults;
}

const MOST_CELLS = 500_000;

export function writeTable({ rows = [] }: Part): string {
  const width = widthOf(rows);
  // One row of very many cells would make all others as long.
  if (width * rows.length > MOST_CELLS) return rows.map((row) => row.join(' ')).join('\n\n');
  const line = (cells: string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cellOf(cells[at] ?? '')).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n');
}

const cellOf = (cell: string): string => cell.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/(?<!\\)\|/g, '\\|');

const widthOf = (rows: readonly string[][]): number => rows.reduce((most, row) => Math.max(most, row.length), 0);

/** What was no table: its rows as lines of a paragraph. */
export function tableAsText(part: Part): Part[] {
  const text = (part.rows ?? []).map((row) => row.filter((cell) => cell !== '').join(' ')).join(' ');
  return text === '' ? [] : [{ ...part, kind: 'text', text, rows: undefined }];
}
