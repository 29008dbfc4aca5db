// A table in Markdown, in the syntax of GitHub.

/**
 * The first row is the head; short rows are filled up. Cells are Markdown and may be several lines. `rules` say how a
 * column is aligned, such as `---:`.
 */
export function markdownTable(rows: readonly (readonly string[])[], rules: readonly string[] = []): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const line = (cells: readonly string[], missing = '') => {
    let text = '| ';
    for (let at = 0; at < width; at++) text += (at === 0 ? '' : ' | ') + escapeCell(cells[at] ?? missing);
    return `${text} |`;
  };
  const [head = [], ...body] = rows;
  return [line(head), line(rules, '---'), ...body.map((row) => line(row))].join('\n');
}

/** A new line would end the row, and a bar the cell, unless it is escaped already. */
const escapeCell = (markdown: string): string =>
  // Hardly any cell has one of them, and an expression costs more than the search.
  !markdown.includes('\n') && !markdown.includes('|')
    ? markdown
    : markdown.replace(/\n\s*/g, ' ').replace(/\\[\\|]|\|/g, (found) => (found === '|' ? '\\|' : found));
