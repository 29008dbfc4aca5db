// Lines one below the other whose words leave the same gaps free: rows of a table, or columns of text that were taken for one.
import { joinWords } from './join.ts';
import { around, type TextLine, type TextWord } from './lines.ts';

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
// Bounds on the work: rows of one table, and how many of the last ones may turn out not to be of it.
const MAX_ROWS = 400;
const MAX_STRAY_ROWS = 12;
const FIRST_ROWS = 2;
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
  // More rows leave fewer gaps free: where the first ones do not agree, no number of them does.
  if (!areAligned(cells.slice(0, FIRST_ROWS))) return undefined;
  const fewest = Math.max(2, cells.length - MAX_STRAY_ROWS);
  for (let count = cells.length; count >= fewest; count -= 1) {
    const grid = gridOf(lines, start, cells.slice(0, count));
    if (grid) return grid;
  }
  return undefined;
}

function gridOf(lines: readonly TextLine[], start: number, cells: readonly Cell[][]): Grid | undefined {
  const stretches = stretchesOf(cells.flat());
  const placed = cells.map((line) => placeOf(line, stretches));
  if (stretches.length < 2 || stretches.length > MAX_COLUMNS || placed.some((row) => row === undefined))
    return undefined;
  if (cells.length < 3 && stretches.length < 3) return undefined;
  const rows = placed.map((row) => row!.map((cell) => cell?.text ?? ''));
  const lengths = stretches.map((_, column) => mean(rows.map((row) => row[column]!.length)));
  if (Math.min(...lengths) > SHORT_CELL) return columnsOf(lines, start, cells.length, stretches);
  return Math.max(...lengths) > LONG_CELL ? undefined : { count: cells.length, rows };
}

function areAligned(cells: readonly Cell[][]): boolean {
  const stretches = stretchesOf(cells.flat());
  return cells.every((line) => placeOf(line, stretches));
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
