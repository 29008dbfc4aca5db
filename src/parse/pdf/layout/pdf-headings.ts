// Which of the headings that a reader saw are some. Names of figures, running heads and the first line of a paragraph that begins
// in bold letters look like headings and are not.
import { type PageReading, type Part, union } from '../page-parts.ts';
import { beginsWithin, withoutEmphasis } from '../repair-text.ts';

const LONGEST = 200;
// Above and below lie running heads and page numbers.
const EDGE = 0.08;
const CAPTION =
  /^(?:fig(?:ure|\.)?|table|tab\.|chart|diagram|box|exhibit|plate|map|abbildung|tabelle|tableau|tabla|figura)\s*(?:\d|[ivx]+\b|:)/i;
const PAGE_NUMBER = /^(?:page )?\d{1,4}(?=\s|$)|(?:^|\s)\d{1,4}$/i;
const SAME_SIZE = 1.15;

export function settleHeadings(page: PageReading): PageReading {
  const parts: Part[] = [];
  for (const part of page.parts) {
    const previous = parts.at(-1);
    if (previous && goesOn(previous, part)) parts[parts.length - 1] = joined(previous, part);
    else parts.push(part);
  }
  return { ...page, parts: parts.map((part) => (isHeading(part, page) ? part : asText(part))) };
}

/** A line that ends, often in bold letters, and below it a paragraph that begins in the middle of a sentence. */
function goesOn(part: Part, next: Part): boolean {
  if (next.kind !== 'text' || !beginsWithin(next.text)) return false;
  const isBegun = part.kind === 'heading' || part.kind === 'text';
  if (!isBegun || /[.!?:]$/.test(part.text) || !part.box || !next.box || part.size === 0) return false;
  const gap = next.box.y - (part.box.y + part.box.height);
  const isBelow = gap > -part.size && gap < part.size && next.box.x < part.box.x + part.box.width;
  return isBelow && part.size <= next.size * SAME_SIZE && next.size <= part.size * SAME_SIZE;
}

const joined = (part: Part, next: Part): Part => ({
  ...next,
  text: `${part.text} ${next.text}`,
  bold: part.bold && next.bold,
  box: union(part.box, next.box!),
});

function isHeading(part: Part, { bodySize, height }: PageReading): boolean {
  if (part.kind !== 'heading') return true;
  const text = withoutEmphasis(part.text);
  if (text.length > LONGEST || !/\p{L}/u.test(text) || isCaption(text)) return false;
  if (beginsWithin(text) && /[.,;]$/.test(text)) return false;
  const isAtEdge =
    part.box !== undefined && (part.box.y < EDGE * height || part.box.y + part.box.height > (1 - EDGE) * height);
  return !(isAtEdge && !part.bold && part.size <= bodySize * SAME_SIZE && PAGE_NUMBER.test(text));
}

/** The name of a figure or a table. */
export const isCaption = (text: string): boolean => CAPTION.test(withoutEmphasis(text));

const asText = (part: Part): Part => ({ ...part, kind: 'text', level: 0, bold: true });
