// A table in Markdown, in the syntax of GitHub.

/**
 * The first row is the head; short rows are filled up. Cells are Markdown and may be several lines. `rules` say how a
 * column is aligned, such as `---:`.
 */
export function markdownTable(rows: readonly (readonly string[])[], rules: readonly string[] = []): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const line = (cells: readonly string[], missing = '') =>
    `| ${Array.from({ length: width }, (_, at) => escapeCell(cells[at] ?? missing)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(rules, '---'), ...body.map((row) => line(row))].join('\n');
}

/** A new line would end the row, and a bar the cell, unless it is escaped already. */
const escapeCell = (markdown: string): string =>
  markdown.replace(/\n\s*/g, ' ').replace(/\\[\\|]|\|/g, (found) => (found === '|' ? '\\|' : found));
