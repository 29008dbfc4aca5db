// A table that code printed as HTML (data frames above all) as a Markdown table.
import { Parser } from 'htmlparser2';

const MAX_SOURCE = 500_000;
const MAX_CELLS = 50_000;
const MAX_DEPTH = 64;

interface Table {
  rows: string[][];
  /** Rows before the first that has data. */
  heads: number;
  /** What stands beside the table, such as the count of rows. */
  text: string;
}

/** Undefined where there is no table, more than one, or one inside another: then the plain form reads better. */
export function htmlTable(html: string): string | undefined {
  if (html.length > MAX_SOURCE || !/<table[\s>]/i.test(html)) return undefined;
  const table = readTable(html);
  if (table === undefined || table.rows.length === 0) return undefined;
  const columns = Math.max(...table.rows.map((row) => row.length));
  if (columns === 0 || columns * table.rows.length > MAX_CELLS) return undefined;
  const line = (row: string[]): string =>
    `| ${Array.from({ length: columns }, (_, at) => cell(row[at] ?? '')).join(' | ')} |`;
  const head = headOf(table, columns);
  const lines = [line(head), `|${' --- |'.repeat(columns)}`, ...table.rows.slice(table.heads).map(line)];
  const text = table.text.replace(/\s+/g, ' ').trim();
  return lines.join('\n') + (text === '' ? '' : `\n\n${text}`);
}

/** Several rows of headings, as data frames with a named index have them, become one. */
function headOf({ rows, heads }: Table, columns: number): string[] {
  return Array.from({ length: columns }, (_, at) =>
    [...new Set(rows.slice(0, heads).map((row) => row[at] ?? ''))].filter((text) => text !== '').join(' '),
  );
}

const cell = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\|*_`<[\]]/g, '\\$&');

function readTable(html: string): Table | undefined {
  const table: Table = { rows: [], heads: 0, text: '' };
  let tables = 0;
  let depth = 0;
  let cells = 0;
  let row: string[] | undefined;
  let text: string | undefined;
  let skipped = 0;
  let span = 1;
  let hasData = false;
  const parser: Parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > MAX_DEPTH || cells > MAX_CELLS) tables = 2;
        if (tables > 1) return parser.pause();
        if (name === 'table') tables += 1;
        else if (name === 'style' || name === 'script') skipped += 1;
        else if (name === 'tr') {
          row = [];
          hasData = false;
        } else if (name === 'td' || name === 'th') {
          text = '';
          span = Math.min(100, Math.max(1, Number(attributes.colspan) || 1));
          hasData ||= name === 'td';
        }
      },
      ontext(data) {
        if (skipped > 0) return;
        if (text !== undefined) text += data;
        else if (row === undefined) table.text += data;
      },
      onclosetag(name) {
        depth -= 1;
        if (name === 'style' || name === 'script') skipped -= 1;
        else if ((name === 'td' || name === 'th') && row && text !== undefined) {
          for (let at = 0; at < span; at++) row.push(text);
          cells += span;
          text = undefined;
        } else if (name === 'tr' && row) {
          if (!hasData && table.heads === table.rows.length) table.heads += 1;
          table.rows.push(row);
          row = undefined;
        }
      },
    },
    { lowerCaseTags: true },
  );
  parser.end(html);
  return tables === 1 ? table : undefined;
}
