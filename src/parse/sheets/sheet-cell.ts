// The displayed content and the type of a cell.
import { type CellObject, SSF } from '@e965/xlsx';
import { escapeHtml } from '../../markup/html/escape-html.ts';
import { webLink } from '../office/html/inline-html.ts';

export interface SheetCell {
  html: string;
  kind: 'text' | 'number' | 'date' | 'other';
  /** A number that may be a year, which is common in headers. */
  isYear: boolean;
}

const KINDS: Readonly<Record<string, SheetCell['kind']>> = { s: 'text', n: 'number' };
const MAX_TEXT = 32_767;

/** Undefined for a cell without content. */
export function readCell(cell: CellObject, date1904: boolean): SheetCell | undefined {
  const date = dateOf(cell, date1904);
  const text = (date ?? shownText(cell)).slice(0, MAX_TEXT).trim();
  if (text === '') return undefined;
  const html = escapeHtml(text).replace(/\r\n?|\n/g, '<br>');
  const target = cell.l?.Target;
  return {
    html: typeof target === 'string' ? webLink(target, html) : html,
    // The engine returns booleans of OpenDocument as numbers.
    kind: date !== undefined ? 'date' : /^(?:TRUE|FALSE)$/.test(text) ? 'other' : (KINDS[cell.t] ?? 'other'),
    isYear: cell.t === 'n' && Number.isInteger(cell.v) && Number(cell.v) >= 1900 && Number(cell.v) <= 2100,
  };
}

const shownText = ({ t, v, w }: CellObject): string => (t === 'z' ? '' : (w ?? (v === undefined ? '' : String(v))));

/** Full dates are written as 2026-01-31, whatever their format; months, times and durations as displayed. */
function dateOf(cell: CellObject, date1904: boolean): string | undefined {
  if (cell.t !== 'n' || typeof cell.z !== 'string' || typeof cell.v !== 'number' || !SSF.is_date(cell.z))
    return undefined;
  const format = cell.z.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '').toLowerCase();
  if (!format.includes('d') || !format.includes('y')) return shownText(cell);
  const found = SSF.parse_date_code(cell.v, { date1904 });
  if (!found) return undefined;
  const day = `${String(found.y).padStart(4, '0')}-${two(found.m)}-${two(found.d)}`;
  if (!format.includes('h')) return day;
  const seconds = format.includes('s') ? `:${two(Math.floor(found.S))}` : '';
  return `${day} ${two(found.H)}:${two(found.M)}${seconds}`;
}

const two = (number: number): string => String(number).padStart(2, '0');
