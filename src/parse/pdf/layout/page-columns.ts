// Restores the reading order of columns. liteparse reads across columns when headings in neighbouring columns are at
// the same height.
import { type Box, lettersIn, type PagePart } from '../page-parts.ts';

// Smaller groups are captions or labels side by side.
const MIN_COLUMN_LETTERS = 150;
const MAX_COLUMNS = 4;
// A part wider than this share of the page spans several columns and ends them.
const WIDE = 0.6;

export function orderColumns(parts: readonly PagePart[], pageWidth: number): PagePart[] {
  const ordered: PagePart[] = [];
  let band: PagePart[] = [];
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

function columnsOf(band: PagePart[]): PagePart[] {
  if (!jumpsBack(band)) return band;
  const columns: { from: number; to: number; parts: PagePart[] }[] = [];
  for (const part of band.toSorted((a, b) => a.box!.x - b.box!.x)) {
    const { x, width } = part.box!;
    const column = columns.at(-1);
    if (column && x < column.to) {
      column.to = Math.max(column.to, x + width);
      column.parts.push(part);
    } else columns.push({ from: x, to: x + width, parts: [part] });
  }
  const isClear = columns.length >= 2 && columns.length <= MAX_COLUMNS;
  if (!isClear || columns.some((column) => lettersIn(column.parts) < MIN_COLUMN_LETTERS)) return band;
  return columns.flatMap((column) => column.parts.sort((a, b) => a.box!.y - b.box!.y));
}

/** Whether a part follows one to its right and lies below the first part: a sign of interleaved columns. */
function jumpsBack(band: readonly PagePart[]): boolean {
  let first: Box | undefined;
  for (const [at, { box }] of band.entries()) {
    const previous = band[at - 1]?.box;
    first ??= box;
    if (previous && box!.x + box!.width <= previous.x && box!.y > first!.y) return true;
  }
  return false;
}
