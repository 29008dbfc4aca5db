// CSV and TSV as a Markdown table with a limited number of rows.
import { markdownTable } from '../../markup/markdown-table.ts';
import { escapeText } from '../markdown/escape-markdown.ts';

const MAX_ROWS = 1000;
const MAX_COLUMNS = 100;
const SAMPLE = 20_000;
const SAMPLE_ROWS = 20;
const DELIMITERS = [',', ';', '\t', '|'];

export function csvMarkdown(source: string): { markdown: string; warning?: string } {
  const text = source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const { rows, cut } = readRows(text, delimiterOf(text));
  if (rows.length === 0) return { markdown: '' };
  const markdown = markdownTable(rows.map((row) => row.map(cellMarkdown)));
  return cut
    ? { markdown, warning: `Only the first ${MAX_ROWS} rows of the table are in the Markdown.` }
    : { markdown };
}

/** The delimiter that splits the first rows evenly into the most columns, else the most frequent one in the first. */
function delimiterOf(text: string): string {
  const sample = text.slice(0, SAMPLE);
  const whole = sample.length === text.length;
  const columns = (sign: string): number => {
    // The last row of a sample may be incomplete.
    const rows = readRows(sample, sign)
      .rows.slice(0, whole ? SAMPLE_ROWS : -1)
      .slice(0, SAMPLE_ROWS);
    return rows.every((row) => row.length === rows[0]!.length) ? (rows[0]?.length ?? 0) : 0;
  };
  const even = best(columns);
  if (columns(even) > 1) return even;
  const line = (text.split('\n', 1)[0] ?? '').replace(/"[^"]*"/g, '');
  return best((sign) => line.split(sign).length);
}

const best = (score: (sign: string) => number): string =>
  DELIMITERS.reduce((first, sign) => (score(sign) > score(first) ? sign : first));

function readRows(text: string, delimiter: string): { rows: string[][]; cut: boolean } {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (rows.length === MAX_ROWS) return { rows, cut: true };
    const field = text[at] === '"' ? quoted(text, at) : plain(text, at, delimiter);
    if (row.length < MAX_COLUMNS) row.push(field.value);
    at = field.end;
    if (text[at] === delimiter) {
      at += 1;
      continue;
    }
    at += 1;
    if (row.some((value) => value !== '')) rows.push(row);
    row = [];
  }
  if (row.some((value) => value !== '')) rows.push(row);
  return { rows, cut: false };
}

function plain(text: string, start: number, delimiter: string): { value: string; end: number } {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end += 1;
  return { value: text.slice(start, end), end };
}

function quoted(text: string, start: number): { value: string; end: number } {
  let end = start + 1;
  for (;;) {
    const quote = text.indexOf('"', end);
    if (quote === -1) return { value: text.slice(start + 1).replaceAll('""', '"'), end: text.length };
    if (text[quote + 1] !== '"') return { value: text.slice(start + 1, quote).replaceAll('""', '"'), end: quote + 1 };
    end = quote + 2;
  }
}

const cellMarkdown = (value: string): string => escapeText(value.trim(), false, ' ', ' ').replace(/\n+/g, '<br>');
