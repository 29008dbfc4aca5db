// Lists and facts as text: columns that line up and fit the terminal. Into a pipe, nothing is cut.

export type Cell = string | number | boolean | null | undefined;

const GAP = 2;
const MIN_WIDTH = 8;

/** The first row has the titles. Absent `width`: nothing is cut. */
export function tableText(rows: readonly (readonly Cell[])[], width?: number): string {
  const texts = rows.map((row) => row.map(cellText));
  const widths = (texts[0] ?? []).map((_, column) =>
    texts.reduce((widest, row) => Math.max(widest, lengthOf(row[column] ?? '')), 0),
  );
  const fitted = width === undefined ? widths : fit(widths, width);
  return texts
    .map((row) =>
      row
        .map((text, column) => padded(text, fitted[column]!))
        .join(' '.repeat(GAP))
        .trimEnd(),
    )
    .join('\n');
}

/** A line for each fact that is known. */
export function factsText(facts: Readonly<Record<string, Cell>>, width?: number): string {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return tableText(known, width);
}

/** The widest columns give way until everything fits. */
function fit(widths: readonly number[], width: number): number[] {
  const fitted = [...widths];
  const room = width - GAP * (widths.length - 1);
  while (fitted.reduce((sum, each) => sum + each, 0) > room) {
    const widest = Math.max(...fitted);
    if (widest <= MIN_WIDTH) break;
    fitted[fitted.lastIndexOf(widest)] = widest - 1;
  }
  return fitted;
}

const cellText = (cell: Cell): string => String(cell ?? '').replaceAll(/\s+/g, ' ');
const lengthOf = (text: string): number => [...text].length;

function padded(text: string, width: number): string {
  const letters = [...text];
  if (letters.length > width) return `${letters.slice(0, width - 1).join('')}…`;
  return text + ' '.repeat(width - letters.length);
}
