// Finds consecutive lines with aligned gaps: rows of a table, or columns of text that were read as one.
import { joinWords } from './join-lines.ts';
import { boundingBox, type TextLine, type TextWord } from './ocr-lines.ts';

export interface TextGrid {
  /** Number of lines it covers. */
  count: number;
  /** The cells, if it is a table... */
  rows?: string[][];
  /** ...or the lines of each text column. */
  columns?: TextLine[][];
}

interface Cell {
  text: string;
  words: TextWord[];
  left: number;
  right: number;
}

type ColumnRange = [left: number, right: number];

/** In letter heights. A space between words is about 0.3, and up to 1 in justified text. */
const GAP = 1.3;
/** Rows further apart than this, in letter heights, belong to different tables. */
const ROW_DISTANCE = 3.5;
const MAX_COLUMNS = 40;
/** Bounds the work. */
const MAX_ROWS = 400;
/** Average cell length that separates text columns from table columns. */
const LONG_CELL = 40;
const SHORT_CELL = 18;

/** The grid that begins at line `start`, if any. */
export function findGrid(lines: readonly TextLine[], start: number): TextGrid | undefined {
  const cells: Cell[][] = [];
  for (let at = start; at < Math.min(lines.length, start + MAX_ROWS); at += 1) {
    const line = lines[at]!;
    if (at > start && !isBelow(lines[at - 1]!, line)) break;
    const some = cellsOf(line);
    if (some.length < 2) break;
    cells.push(some);
  }
  const count = alignedCount(cells);
  return count < 2 ? undefined : gridOf(lines, start, cells.slice(0, count));
}

/** How many of the first rows are aligned. More rows leave fewer common gaps, so a binary search works. */
function alignedCount(cells: readonly Cell[][]): number {
  let [sure, open] = [0, cells.length];
  while (sure < open) {
    const middle = Math.ceil((sure + open) / 2);
    if (arrangeCells(cells.slice(0, middle))) sure = middle;
    else open = middle - 1;
  }
  return sure;
}

function gridOf(lines: readonly TextLine[], start: number, cells: readonly Cell[][]): TextGrid | undefined {
  const { ranges, arranged } = arrangeCells(cells)!;
  if (ranges.length > MAX_COLUMNS || (cells.length < 3 && ranges.length < 3)) return undefined;
  const rows = arranged.map((row) => row.map((cell) => cell?.text ?? ''));
  const lengths = ranges.map((_, column) => mean(rows.map((row) => row[column]!.length)));
  if (Math.min(...lengths) > SHORT_CELL) return columnsOf(lines, start, cells.length, ranges);
  return Math.max(...lengths) > LONG_CELL ? undefined : { count: cells.length, rows };
}

/** The columns of these lines and the cell of each line in each; undefined if they are not aligned. */
function arrangeCells(
  cells: readonly Cell[][],
): { ranges: ColumnRange[]; arranged: (Cell | undefined)[][] } | undefined {
  const ranges = columnRanges(cells.flat());
  const arranged: (Cell | undefined)[][] = [];
  for (const line of cells) {
    const row = arrangeLine(line, ranges);
    if (!row) return undefined;
    arranged.push(row);
  }
  return { ranges, arranged };
}

/** Each column holds at most one cell of the line. */
function arrangeLine(line: readonly Cell[], ranges: readonly ColumnRange[]): (Cell | undefined)[] | undefined {
  const row: (Cell | undefined)[] = ranges.map(() => undefined);
  for (const cell of line) {
    const at = ranges.findIndex(([, right]) => cell.left < right);
    if (at < 0 || row[at] || cell.right > (ranges[at + 1]?.[0] ?? Number.POSITIVE_INFINITY)) return undefined;
    row[at] = cell;
  }
  return row;
}

/** The last lines of a column may have nothing next to them, so this looks beyond the aligned lines. */
function columnsOf(lines: readonly TextLine[], start: number, sure: number, ranges: readonly ColumnRange[]): TextGrid {
  const columns: TextLine[][] = ranges.map(() => []);
  let count = 0;
  for (const line of lines.slice(start, start + MAX_ROWS)) {
    const row = arrangeLine(cellsOf(line), ranges);
    if (!row || (count >= sure && !isBelow(lines[start + count - 1]!, line))) break;
    for (const [at, cell] of row.entries())
      if (cell) columns[at]!.push({ ...line, words: cell.words, box: boundingBox(cell.words.map(({ box }) => box)) });
    count += 1;
  }
  return { count, columns };
}

function isBelow(above: TextLine, line: TextLine): boolean {
  const distance = line.box[1] - above.box[3];
  return distance > -above.height && distance < ROW_DISTANCE * above.height;
}

function cellsOf({ words, height }: TextLine): Cell[] {
  const groups: (typeof words)[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const word of words) {
    if (word.box[0] - end > GAP * height) groups.push([]);
    groups.at(-1)!.push(word);
    end = word.box[2];
  }
  return groups.map((group) => ({
    text: joinWords(group),
    words: group,
    left: group[0]!.box[0],
    right: group.at(-1)!.box[2],
  }));
}

/** The horizontal ranges that cells cover, from left to right, without overlaps. */
function columnRanges(cells: readonly Cell[]): ColumnRange[] {
  const ranges: ColumnRange[] = [];
  for (const { left, right } of cells.toSorted((a, b) => a.left - b.left)) {
    const last = ranges.at(-1);
    if (last && left < last[1]) last[1] = Math.max(last[1], right);
    else ranges.push([left, right]);
  }
  return ranges;
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
