// Reads Markdown and HTML tables as trees, and rewrites all tables of a text in one form, so that equal tables in either
// syntax compare as equal.
import { parseDocument } from 'htmlparser2'; // Not our own parser, whose bugs the score would share.
import type { TreeNode } from './tree-edit.ts';

export interface TableNode extends TreeNode {
  tag: 'tables' | 'table' | 'tr' | 'td';
  text: string;
  /** The cell's colspan and rowspan as HTML attributes. */
  span: string;
  children: TableNode[];
}

type Dom = ReturnType<typeof parseDocument>['children'][number];

const HTML_TABLE = /<table[\s>][\s\S]*?<\/table>/gi;
const DELIMITER_ROW = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** All tables in order, below one root node. */
export function tablesOf(canonical: string): TableNode {
  const tables = [...canonical.matchAll(HTML_TABLE)].map(([html]) => tableOf(html));
  return { tag: 'tables', text: '', span: '', children: tables };
}

/** Rewrites each table as one line of HTML, without attributes other than spans. */
export function withHtmlTables(markdown: string): string {
  const html = markdown.replace(HTML_TABLE, (table) => `\n${write(tableOf(table))}\n`);
  const lines: string[] = [];
  const source = html.split('\n');
  for (let at = 0; at < source.length; at++) {
    const isTable =
      source[at]!.includes('|') && DELIMITER_ROW.test(source[at + 1] ?? '') && source[at + 1]!.includes('-');
    if (!isTable) {
      lines.push(source[at]!);
      continue;
    }
    const rows = [cellsOf(source[at]!)];
    for (at += 2; at < source.length && source[at]!.trim().startsWith('|'); at++) rows.push(cellsOf(source[at]!));
    at--;
    lines.push(
      write(
        node(
          'table',
          '',
          rows.map((row) =>
            node(
              'tr',
              '',
              row.map((cell) => node('td', cell)),
            ),
          ),
        ),
      ),
    );
  }
  return lines.join('\n');
}

const node = (tag: TableNode['tag'], text = '', children: TableNode[] = [], span = ''): TableNode => ({
  tag,
  text,
  span,
  children,
});

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => plain(cell.replaceAll('\\|', '|').replaceAll(/<br\s*\/?>/gi, ' ')));
}

function tableOf(html: string): TableNode {
  const rows = elements(parseDocument(html).children, ['tr']).map((row) =>
    node(
      'tr',
      '',
      elements(row.children, ['td', 'th']).map((cell) => {
        const span = ['colspan', 'rowspan'].map((name) => spanOf(name, cell.attribs[name])).join('');
        return node('td', plain(textOf(cell.children)), [], span);
      }),
    ),
  );
  return node('table', '', rows);
}

const spanOf = (name: string, value = '1'): string => (value === '1' ? '' : ` ${name}="${value}"`);

type Element = Extract<Dom, { attribs: unknown }>;

function elements(nodes: readonly Dom[], names: readonly string[]): Element[] {
  return nodes.flatMap((child) => {
    if (!('attribs' in child)) return [];
    return names.includes(child.name) ? [child] : elements(child.children as Dom[], names);
  });
}

const textOf = (nodes: readonly Dom[]): string =>
  nodes
    .map((child) => ('data' in child ? child.data : 'children' in child ? ` ${textOf(child.children as Dom[])} ` : ''))
    .join('');

function write(table: TableNode): string {
  const rows = table.children.map(
    (row) => `<tr> ${row.children.map(({ text, span }) => `<td${span}> ${text} </td>`).join(' ')} </tr>`,
  );
  return `<table> ${rows.join(' ')} </table>`;
}

const plain = (text: string): string => stripEmphasis(text).replaceAll(/\s+/g, ' ').trim();

/** Emphasis is not scored. */
export const stripEmphasis = (text: string): string =>
  text.replaceAll(/(\*{1,3}|~~|__|_)(?=\S)([^*_~\n]*?\S)\1/g, '$2');
