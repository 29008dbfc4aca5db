// Collects the cells of tabular environments and writes them as HTML.

export interface TexTable {
  /** End the current cell or row. */
  cell(): void;
  row(): void;
  /** Sets the column span of the current cell. */
  span(columns: number): void;
  caption(html: string): void;
  html(): string;
}

interface Cell {
  html: string;
  span: number;
}

const MAX_COLUMNS = 100;
const MAX_ROWS = 5000;
const ALIGNMENT: Readonly<Record<string, string>> = { r: 'right', R: 'right', c: 'center', C: 'center' };

/** `take` returns the output since its last call. */
export function createTexTable(columns: string, take: () => string): TexTable {
  const alignments = alignmentsOf(columns);
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let span = 1;
  let caption = '';
  const table: TexTable = {
    cell() {
      if (row.length < MAX_COLUMNS) row.push({ html: take().replace(/<p>/g, ' ').trim(), span });
      else take();
      span = 1;
    },
    row() {
      table.cell();
      // Rules produce empty rows.
      if (row.some(({ html }) => html !== '') && rows.length < MAX_ROWS) rows.push(row);
      row = [];
    },
    span(count) {
      span = Math.min(MAX_COLUMNS, Math.max(1, count || 1));
    },
    caption(html) {
      caption = html;
    },
    html() {
      table.row();
      const body = rows.map((cells, at) => rowHtml(cells, at === 0)).join('\n');
      return body === '' ? caption : `${caption}<table>${body}</table>`;
    },
  };

  function rowHtml(cells: Cell[], isHead: boolean): string {
    let column = 0;
    const written = cells.map((cell) => {
      const alignment = alignments[column];
      column += cell.span;
      const style = alignment === undefined ? '' : ` style="text-align:${alignment}"`;
      const wide = cell.span > 1 ? ` colspan="${cell.span}"` : '';
      return isHead ? `<th${wide}${style}>${cell.html}</th>` : `<td${wide}${style}>${cell.html}</td>`;
    });
    return `<tr>${written.join('')}</tr>`;
  }
  return table;
}

/** `|l|>{\bf}r@{ }*{3}{c}p{3cm}|`: letters outside braces are columns. */
function alignmentsOf(columns: string): (string | undefined)[] {
  const expanded = columns
    .slice(0, 1000)
    .replace(/\*\{(\d{1,2})\}\{([^{}]{0,50})\}/g, (_, count: string, each: string) => each.repeat(Number(count)));
  const found: (string | undefined)[] = [];
  let depth = 0;
  for (const character of expanded) {
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (depth === 0 && /[a-zA-Z]/.test(character) && found.length < MAX_COLUMNS) found.push(ALIGNMENT[character]);
  }
  return found;
}
