// Judges tables that an engine found, and writes them as Markdown.
import { markdownTable } from '../../../markup/markdown-table.ts';
import type { PagePart } from '../page-parts.ts';

// The scale of a chart axis.
const SCALE = /^(?:[-+]?[\d.,]+%? ){4}[-+]?[\d.,]+%?/;

/** A single line, or a chart. */
export const isFalseTable = ({ kind, rows = [] }: PagePart): boolean =>
  kind === 'table' && (rows.length === 1 || rows.some((row) => row.some((cell) => SCALE.test(cell))));

/** Prose in columns and chart labels make few rows of words. */
export const isPlausibleTable = (table: PagePart): boolean => (table.rows ?? []).length >= 3 && !isProseTable(table);

export function isProseTable({ kind, rows = [] }: PagePart): boolean {
  const cells = rows.flat().filter((cell) => cell !== '');
  const small = cells.filter((cell) => /^\p{Ll}/u.test(cell)).length;
  const figures = cells.filter((cell) => /\d/.test(cell)).length;
  return kind === 'table' && small * 3 >= cells.length && figures * 3 < cells.length;
}

// `15 27,926`: two rows or columns merged into one.
const SEVERAL_FIGURES = /^[-+]?[\d.,]*\d%? [-+]?[\d.,]*\d%?(?: |$)/;

/** Counts suspicious rows: split rows, merged rows and nearly empty rows. */
export function countTableFaults({ rows = [] }: PagePart): number {
  const width = widthOf(rows);
  let faults = 0;
  for (const row of rows.slice(1)) {
    const filled = row.filter((cell) => cell !== '').length;
    if (filled === 0) faults++;
    // The continuation of a cell in the previous row.
    else if (row[0] === '' && filled < width / 2) faults++;
    else if (filled === 1 && width > 2 && /^\p{Ll}/u.test(row.find((cell) => cell !== '')!)) faults++;
    else if (row.some((cell) => SEVERAL_FIGURES.test(cell))) faults++;
  }
  return faults;
}

const MAX_CELLS = 500_000;

export function writeTable({ rows = [] }: PagePart): string {
  // One very long row would pad all others to its length.
  if (widthOf(rows) * rows.length > MAX_CELLS) return rows.map((row) => row.join(' ')).join('\n\n');
  return markdownTable(rows);
}

const widthOf = (rows: readonly string[][]): number => rows.reduce((most, row) => Math.max(most, row.length), 0);

/** The rows of a false table as a paragraph. */
export function tableAsText(part: PagePart): PagePart[] {
  const text = (part.rows ?? []).map((row) => row.filter((cell) => cell !== '').join(' ')).join(' ');
  return text === '' ? [] : [{ ...part, kind: 'text', text, rows: undefined }];
}
