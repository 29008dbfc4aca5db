// Parses workbooks: every visible sheet becomes a heading and tables, with values as the sheet displays them.
import type { WorkBook, WorkSheet } from '@e965/xlsx';
import { escapeHtml } from '../../markup/html/escape-html.ts';
import type { FormatParser } from '../format-parser.ts';
import { commentsHtml, type OfficeComment } from '../office/office-comments.ts';
import { hiddenParts } from './hidden-parts.ts';
import { readGrid } from './sheet-grid.ts';
import { type CellBudget, sheetHtml } from './sheet-html.ts';
import { MAX_READ_CELLS, MAX_ROWS, openWorkbook } from './workbook.ts';

/** Includes empty cells between others. More would exceed the limits of the transform. */
const MAX_CELLS = 200_000;
const MAX_SHEETS = 500;
/** Default sheet names in common languages. */
const DEFAULT_NAME =
  /^(?:sheet|tabelle|feuil(?:le)?|hoja|foglio|planilha|blad|ark|arkusz|лист|工作表|シート|시트)\s?\d{0,4}$/i;

export const parseSheet: FormatParser = async (file) => {
  const opened = await openWorkbook(file);
  const { workbook, metadata, isCut } = opened;
  const hidden = hiddenParts(opened);
  const date1904 = workbook.Workbook?.WBProps?.date1904 === true;
  const names = sheetNames(workbook);
  const shown = names.filter((name) => !hidden.isSheetHidden(name)).slice(0, MAX_SHEETS);
  const budget: CellBudget = { left: MAX_CELLS };
  const parts: string[] = [];
  const comments: OfficeComment[] = [];
  const omitted: Omissions = { hiddenSheets: names.filter(hidden.isSheetHidden), hiddenIn: [], cut: [] };
  for (const name of shown) {
    const grid = readGrid(workbook.Sheets[name]!, hidden.inSheet(name), date1904);
    const { html, cutAt } = sheetHtml(grid, budget);
    if (html !== '' && (shown.length > 1 || !DEFAULT_NAME.test(name))) parts.push(`<h2>${escapeHtml(name)}</h2>`);
    parts.push(html);
    for (const { author, text, address } of grid.comments) {
      comments.push({ author, text, quoted: '', location: shown.length > 1 ? `${name}!${address}` : address });
    }
    if (grid.hiddenRows + grid.hiddenColumns > 0) omitted.hiddenIn.push(name);
    if (cutAt !== undefined) omitted.cut.push(`${quoted(name)} from row ${cutAt} on`);
  }
  parts.push(commentsHtml(comments));
  const warnings = omissionWarnings(omitted);
  if (isCut || shown.some((name) => isTruncated(workbook.Sheets[name]!))) {
    warnings.push(`Sheets are read up to ${MAX_ROWS} rows or ${MAX_READ_CELLS} cells; the rest was left out.`);
  }
  return { body: { html: parts.filter((part) => part !== '').join('\n') }, metadata, warnings };
};

/** Sheets with cells, not charts or macros. A sheet may be called `__proto__`. */
const sheetNames = ({ SheetNames, Sheets }: WorkBook): string[] =>
  SheetNames.filter(
    (name) => Object.hasOwn(Sheets, name) && !/^(?:chart|macro|dialog)$/.test(Sheets[name]?.['!type'] ?? ''),
  );

/** The engine reports a truncated sheet by two different ranges. */
const isTruncated = (sheet: WorkSheet): boolean =>
  sheet['!fullref'] !== undefined && sheet['!fullref'] !== sheet['!ref'];

interface Omissions {
  hiddenSheets: string[];
  hiddenIn: string[];
  cut: string[];
}

function omissionWarnings({ hiddenSheets, hiddenIn, cut }: Omissions): string[] {
  const warnings: string[] = [];
  if (hiddenSheets.length > 0) warnings.push(`Hidden sheets were left out: ${listed(hiddenSheets.map(quoted))}.`);
  if (hiddenIn.length > 0) warnings.push(`Hidden rows and columns were left out in ${listed(hiddenIn.map(quoted))}.`);
  if (cut.length > 0) {
    warnings.push(`The workbook has more than ${MAX_CELLS} cells; left out: ${listed(cut)}.`);
  }
  return warnings;
}

const quoted = (name: string): string => `"${name.slice(0, 100)}"`;

const listed = (names: readonly string[]): string =>
  names.length <= 10 ? names.join(', ') : `${names.slice(0, 10).join(', ')} and ${names.length - 10} more`;
