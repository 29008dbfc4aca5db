// Tables of the office engine's model as HTML.
import type { Block, BlockKind, Cell, Table, TableKind } from '@firecrawl/anydoc';

export type CellContent = (blocks: readonly Block[], isHeader: boolean) => string;

/** `write` gives the HTML of what is in a cell. */
export function tableHtml(table: Table, write: CellContent): string {
  const rows = table.grid;
  const width = Math.max(0, ...rows.map((row) => row.length));
  const kind: `${TableKind}` = table.kind;
  // Word's frames and columns are tables as well; their content stands for itself.
  const isData = kind === 'data' && rows.length > 1 && width > 1;
  // A table in Markdown begins with a header, so the first row is one in any case.
  const headers = isData ? Math.max(1, Math.min(table.headerRows, rows.length - 1)) : 0;
  const lines = rows.map((row, at) => {
    const tag = at < headers ? 'th' : 'td';
    const cells = row.map(({ cell }) => (cell ? cellHtml(cell, tag, isData, write) : ''));
    return `<tr>${cells.join('')}</tr>`;
  });
  const head = headers === 0 ? '' : `<thead>\n${lines.slice(0, headers).join('\n')}\n</thead>\n`;
  const body = `<tbody>\n${lines.slice(headers).join('\n')}\n</tbody>`;
  return `<table${isData ? '' : ' role="presentation"'}>\n${head}${body}\n</table>`;
}

function cellHtml(cell: Cell, tag: 'td' | 'th', isData: boolean, write: CellContent): string {
  const blocks = isData ? cell.blocks.flatMap((block) => withoutTables(block)) : cell.blocks;
  const spans = `${span('colspan', cell.colSpan)}${span('rowspan', cell.rowSpan)}`;
  return `<${tag}${spans}>${write(blocks, tag === 'th')}</${tag}>`;
}

const span = (name: string, count: number): string => (count > 1 ? ` ${name}="${count}"` : '');

/** A cell of a Markdown table holds lines, no tables: those in it become a line a row. */
function withoutTables(block: Block): Block[] {
  if (!block.table) return [block];
  return block.table.grid.map((row): Block => {
    const cells = row.flatMap(({ cell }) => (cell ? [cell.blocks.flatMap((inner) => withoutTables(inner))] : []));
    const content = cells.map((blocks) => blocks.flatMap((inner) => inner.content ?? []));
    return {
      kind: 'paragraph' as BlockKind,
      content: content.flatMap((inlines, at) => (at === 0 ? inlines : [SEPARATOR, ...inlines])),
    };
  });
}

const SEPARATOR = { kind: 'text', text: ' / ' } as NonNullable<Block['content']>[number];
