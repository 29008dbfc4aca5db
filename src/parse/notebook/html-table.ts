// Converts an HTML table in a cell output, such as a data frame, to a Markdown table.
import { type HtmlTree, TEXT } from '../../markup/html/html-tree.ts';
import { parseHtml } from '../../markup/html/parse-html.ts';
import { TAG, tagSet } from '../../markup/html/tags.ts';
import { markdownTable } from '../../markup/markdown-table.ts';

const MAX_SOURCE = 500_000;
const MAX_CELLS = 50_000;
const MAX_DEPTH = 64;

const isCode = tagSet('style script');

interface Table {
  rows: string[][];
  /** Number of header rows. */
  heads: number;
  /** Text outside the table, such as the number of rows. */
  text: string;
}

/** Undefined unless there is exactly one table: otherwise the plain-text form reads better. */
export function htmlTable(html: string): string | undefined {
  if (html.length > MAX_SOURCE || !/<table[\s>]/i.test(html)) return undefined;
  const table = readTable(html);
  if (table === undefined || table.rows.length === 0) return undefined;
  const columns = Math.max(...table.rows.map((row) => row.length));
  if (columns === 0 || columns * table.rows.length > MAX_CELLS) return undefined;
  const rows = [headOf(table, columns), ...table.rows.slice(table.heads)];
  const text = table.text.replace(/\s+/g, ' ').trim();
  return markdownTable(rows.map((row) => row.map(cellMarkdown))) + (text === '' ? '' : `\n\n${text}`);
}

/** Merges several header rows into one; data frames with a named index have two. */
function headOf({ rows, heads }: Table, columns: number): string[] {
  return Array.from({ length: columns }, (_, at) =>
    [...new Set(rows.slice(0, heads).map((row) => row[at] ?? ''))].filter((text) => text !== '').join(' '),
  );
}

const cellMarkdown = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\*_`<[\]]/g, '\\$&');

function readTable(html: string): Table | undefined {
  const tree = parseHtml(html, { maxDepth: MAX_DEPTH });
  const table: Table = { rows: [], heads: 0, text: '' };
  let tables = 0;
  let cells = 0;
  for (let node = 1; node < tree.size; node++) {
    const tag = tree.tag[node]!;
    if (tag === TAG.table) tables += 1;
    else if (tree.kind[node] === TEXT) table.text += tree.text(node);
    else if (isCode(tag)) node = tree.end[node]! - 1;
    else if (tag === TAG.tr) {
      const { row, hasData, tables: inner } = readRow(tree, node);
      if (!hasData && table.heads === table.rows.length) table.heads += 1;
      table.rows.push(row);
      tables += inner;
      cells += row.length;
      node = tree.end[node]! - 1;
    }
    if (tables > 1 || cells > MAX_CELLS) return undefined;
  }
  return tables === 1 && !tree.truncated ? table : undefined;
}

function readRow(tree: HtmlTree, row: number): { row: string[]; hasData: boolean; tables: number } {
  const texts: string[] = [];
  let hasData = false;
  let tables = 0;
  for (let node = row + 1; node < tree.end[row]!; node++) {
    const tag = tree.tag[node]!;
    if (tag === TAG.table) tables += 1;
    if (tag !== TAG.td && tag !== TAG.th) continue;
    hasData ||= tag === TAG.td;
    const span = Math.min(100, Math.max(1, Number(tree.attribute(node, 'colspan')) || 1));
    const text = visibleText(tree, node);
    for (let column = 0; column < span; column++) texts.push(text);
  }
  return { row: texts, hasData, tables };
}

function visibleText(tree: HtmlTree, element: number): string {
  let text = '';
  for (let node = element + 1; node < tree.end[element]!; node++) {
    if (isCode(tree.tag[node]!)) node = tree.end[node]! - 1;
    else text += tree.text(node);
  }
  return text;
}
