// Groups positioned text into printed lines with their fonts, which tell headings from paragraphs.
import type { TextItem } from '@llamaindex/liteparse';
import { type Box, countLetters, unionBox } from '../page-parts.ts';

export interface PrintedLine {
  text: string;
  letters: number;
  /** Font size in points. */
  size: number;
  bold: boolean;
  box: Box;
}

/** Maps and plans have so many items and boxes that comparing all pairs would take too long. */
const MAX_PAIRS = 4_000_000;

const BOLD_FONT = /bold|black|heavy|demi/i;

/** The lines in each box; undefined if the page has too many items. */
export function linesInBoxes(
  boxes: readonly (Box | undefined)[],
  items: readonly TextItem[],
): PrintedLine[][] | undefined {
  if (boxes.length * items.length > MAX_PAIRS) return undefined;
  const found: TextItem[][] = boxes.map(() => []);
  for (const item of items) {
    const x = item.x + item.width / 2;
    const y = item.y + item.height / 2;
    const at = boxes.findIndex(
      (box) => box && x >= box.x - 1 && x <= box.x + box.width + 1 && y >= box.y - 1 && y <= box.y + box.height + 1,
    );
    if (at >= 0) found[at]!.push(item);
  }
  return found.map(linesOf);
}

function linesOf(items: TextItem[]): PrintedLine[] {
  const rows: TextItem[][] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  for (const item of items.toSorted((a, b) => a.y - b.y)) {
    if (item.y + item.height / 2 > bottom) {
      rows.push([]);
      bottom = item.y + item.height;
    }
    rows.at(-1)!.push(item);
  }
  return rows.map((row) => lineOf(row.sort((a, b) => a.x - b.x)));
}

function lineOf(items: TextItem[]): PrintedLine {
  const text = items.map((item) => item.text).join(' ');
  const letters = countLetters(text);
  const boldLetters = items.reduce((sum, item) => sum + (isBold(item) ? countLetters(item.text) : 0), 0);
  return {
    text,
    letters,
    size: mainSize(items),
    bold: letters > 0 && boldLetters > 0.9 * letters,
    box: items.reduce<Box | undefined>((box, item) => unionBox(box, item), undefined)!,
  };
}

/** The font size, unless a transform scales it; then the drawn height. */
function sizeOf({ fontSize = 0, height }: TextItem): number {
  return fontSize > 2 && height > fontSize / 2 && height < fontSize * 1.6 ? fontSize : height;
}

const isBold = ({ fontName = '' }: TextItem): boolean => BOLD_FONT.test(fontName);

/** The most common font size and weight. */
export function bodyFont(items: readonly TextItem[]): { size: number; bold: boolean } {
  let [bold, all] = [0, 0];
  for (const item of items) {
    all += item.text.length;
    if (isBold(item)) bold += item.text.length;
  }
  return { size: mainSize(items), bold: bold > all / 2 };
}

/** The size of most letters; superscripts and tall symbols do not count. */
function mainSize(items: readonly TextItem[]): number {
  const letters = new Map<number, number>();
  for (const item of items) {
    const size = Math.round(sizeOf(item) * 2) / 2;
    letters.set(size, (letters.get(size) ?? 0) + item.text.length);
  }
  let [size, most] = [0, 0];
  for (const [candidate, count] of letters) if (count > most) [size, most] = [candidate, count];
  return size;
}
