// Lines one below the other whose words leave the same gaps free: rows of a table, or columns of text that were taken for one.
import { joinWords } from './join-lines.ts';
import { around, type TextLine, type TextWord } from './ocr-lines.ts';

export interface Grid {
  /** How many lines it takes. */
  count: number;
  /** The cells of a table... */
  rows?: string[][];
  /** ...or the lines of each column of text. */
  columns?: TextLine[][];
}

interface Cell {
  text: string;
  words: TextWord[];
  left: number;
  right: number;
}

type Stretch = [left: number, right: number];

/** A space between words is a third of the letters' height, and up to all of it in justified text. */
const GAP = 1.3;
/** Rows further apart than this many heights are of different tables. */
const ROW_DISTANCE = 3.5;
const MAX_COLUMNS = 40;
/** Bounds the work. */
const MAX_ROWS = 400;
/** Longer cells on average are columns of a text rather than of a table. */
const LONG_CELL = 40;
const SHORT_CELL = 18;

/** What begins at the line `start`, if it is one. */
export function gridAt(lines: readonly TextLine[], start: number): Grid | undefined {
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

/** How many of the first rows agree. More rows leave fewer gaps free, so halving finds where they cease to. */
function alignedCount(cells: readonly Cell[][]): number {
  let [sure, open] = [0, cells.length];
  while (sure < open) {
    const middle = Math.ceil((sure + open) / 2);
    if (placesOf(cells.slice(0, middle))) sure = middle;
    else open = middle - 1;
  }
  return sure;
}

function gridOf(lines: readonly TextLine[], start: number, cells: readonly Cell[][]): Grid | undefined {
  const { stretches, places } = placesOf(cells)!;
  if (stretches.length > MAX_COLUMNS || (cells.length < 3 && stretches.length < 3)) return undefined;
  const rows = places.map((row) => row.map((cell) => cell?.text ?? ''));
  const lengths = stretches.map((_, column) => mean(rows.map((row) => row[column]!.length)));
  if (Math.min(...lengths) > SHORT_CELL) return columnsOf(lines, start, cells.length, stretches);
  return Math.max(...lengths) > LONG_CELL ? undefined : { count: cells.length, rows };
}

/** The columns of these lines, if each cell has one, and what of each line is where. */
function placesOf(cells: readonly Cell[][]): { stretches: Stretch[]; places: (Cell | undefined)[][] } | undefined {
  const stretches = stretchesOf(cells.flat());
  const places: (Cell | undefined)[][] = [];
  for (const line of cells) {
    const row = placeOf(line, stretches);
    if (!row) return undefined;
    places.push(row);
  }
  return { stretches, places };
}

/** Each stretch has one cell of the line at most. */
function placeOf(line: readonly Cell[], stretches: readonly Stretch[]): (Cell | undefined)[] | undefined {
  const row: (Cell | undefined)[] = stretches.map(() => undefined);
  for (const cell of line) {
    const at = stretches.findIndex(([, right]) => cell.left < right);
    if (at < 0 || row[at] || cell.right > (stretches[at + 1]?.[0] ?? Number.POSITIVE_INFINITY)) return undefined;
    row[at] = cell;
  }
  return row;
}

/** The last lines of a column may have nothing beside them. */
function columnsOf(lines: readonly TextLine[], start: number, sure: number, stretches: readonly Stretch[]): Grid {
  const columns: TextLine[][] = stretches.map(() => []);
  let count = 0;
  for (const line of lines.slice(start, start + MAX_ROWS)) {
    const row = placeOf(cellsOf(line), stretches);
    if (!row || (count >= sure && !isBelow(lines[start + count - 1]!, line))) break;
    for (const [at, cell] of row.entries())
      if (cell) columns[at]!.push({ ...line, words: cell.words, box: around(cell.words.map(({ box }) => box)) });
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

/** From left to right, what cells cover and nothing crosses. */
function stretchesOf(cells: readonly Cell[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { left, right } of cells.toSorted((a, b) => a.left - b.left)) {
    const last = stretches.at(-1);
    if (last && left < last[1]) last[1] = Math.max(last[1], right);
    else stretches.push([left, right]);
  }
  return stretches;
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
