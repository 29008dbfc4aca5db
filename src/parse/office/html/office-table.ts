// Writes tables of the office engine's model as HTML.
import type { Block, BlockKind, Cell, Table, TableKind } from '@firecrawl/anydoc';

export type CellContent = (blocks: readonly Block[], isHeader: boolean) => string;

/** `write` returns the HTML of a cell's content. */
export function tableHtml(table: Table, write: CellContent): string {
  const rows = table.grid;
  const width = Math.max(0, ...rows.map((row) => row.length));
  const kind: `${TableKind}` = table.kind;
  // Word uses tables for frames and columns too; those are layout only.
  const isData = kind === 'data' && rows.length > 1 && width > 1;
  // Markdown tables need a header, so the first row always becomes one.
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

/** Cells of a Markdown table cannot contain tables: each row of an inner table becomes a line. */
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
