// Parts in the order in which columns are read. liteparse reads what stands side by side from left to right where a heading in
// one column stands at the height of one in the next.
import { type Box, lettersOf, type Part } from '../page-parts.ts';

// Captions and labels side by side are no columns.
const LETTERS_IN_A_COLUMN = 150;
const MOST_COLUMNS = 4;
// More than a column, less than the page: what reaches over two columns ends them.
const WIDE = 0.6;

export function inColumns(parts: readonly Part[], pageWidth: number): Part[] {
  const ordered: Part[] = [];
  let band: Part[] = [];
  const flush = () => {
    ordered.push(...columnsOf(band));
    band = [];
  };
  for (const part of parts) {
    if (!part.box || part.box.width > WIDE * pageWidth) {
      flush();
      ordered.push(part);
    } else band.push(part);
  }
  flush();
  return ordered;
}

function columnsOf(band: Part[]): Part[] {
  if (!goesBack(band)) return band;
  const columns: { from: number; to: number; parts: Part[] }[] = [];
  for (const part of band.toSorted((a, b) => a.box!.x - b.box!.x)) {
    const { x, width } = part.box!;
    const column = columns.at(-1);
    if (column && x < column.to) {
      column.to = Math.max(column.to, x + width);
      column.parts.push(part);
    } else columns.push({ from: x, to: x + width, parts: [part] });
  }
  const isClear = columns.length >= 2 && columns.length <= MOST_COLUMNS;
  if (!isClear || columns.some((column) => lettersOf(column.parts) < LETTERS_IN_A_COLUMN)) return band;
  return columns.flatMap((column) => column.parts.sort((a, b) => a.box!.y - b.box!.y));
}

/** Whether a part further left comes after one further right, below something that came before both. */
function goesBack(band: readonly Part[]): boolean {
  let first: Box | undefined;
  for (const [at, { box }] of band.entries()) {
    const previous = band[at - 1]?.box;
    first ??= box;
    if (previous && box!.x + box!.width <= previous.x && box!.y > first!.y) return true;
  }
  return false;
}
