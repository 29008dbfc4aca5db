// Demotes false headings: captions, page headers, and the bold first line of a paragraph.
import { type PagePart, type PageReading, unionBox } from '../page-parts.ts';
import { continuesSentence, stripEmphasis } from '../repair-text.ts';

const MAX_LENGTH = 200;
// Share of the page height at top and bottom that holds headers and page numbers.
const EDGE = 0.08;
const CAPTION =
  /^(?:fig(?:ure|\.)?|table|tab\.|chart|diagram|box|exhibit|plate|map|abbildung|tabelle|tableau|tabla|figura)\s*(?:\d|[ivx]+\b|:)/i;
const PAGE_NUMBER = /^(?:page )?\d{1,4}(?=\s|$)|(?:^|\s)\d{1,4}$/i;
const SAME_SIZE = 1.15;

export function correctHeadings(page: PageReading): PageReading {
  const parts: PagePart[] = [];
  for (const part of page.parts) {
    const previous = parts.at(-1);
    if (previous && continues(previous, part)) parts[parts.length - 1] = joined(previous, part);
    else parts.push(part);
  }
  return { ...page, parts: parts.map((part) => (isHeading(part, page) ? part : asText(part))) };
}

/** A line, often bold, followed directly by a paragraph that begins mid-sentence. */
function continues(part: PagePart, next: PagePart): boolean {
  if (next.kind !== 'text' || !continuesSentence(next.text)) return false;
  const isText = part.kind === 'heading' || part.kind === 'text';
  if (!isText || /[.!?:]$/.test(part.text) || !part.box || !next.box || part.size === 0) return false;
  const gap = next.box.y - (part.box.y + part.box.height);
  const isBelow = gap > -part.size && gap < part.size && next.box.x < part.box.x + part.box.width;
  return isBelow && part.size <= next.size * SAME_SIZE && next.size <= part.size * SAME_SIZE;
}

const joined = (part: PagePart, next: PagePart): PagePart => ({
  ...next,
  text: `${part.text} ${next.text}`,
  bold: part.bold && next.bold,
  box: unionBox(part.box, next.box!),
});

function isHeading(part: PagePart, { bodySize, height }: PageReading): boolean {
  if (part.kind !== 'heading') return true;
  const text = stripEmphasis(part.text);
  if (text.length > MAX_LENGTH || !/\p{L}/u.test(text) || isCaption(text)) return false;
  if (continuesSentence(text) && /[.,;]$/.test(text)) return false;
  const isAtEdge =
    part.box !== undefined && (part.box.y < EDGE * height || part.box.y + part.box.height > (1 - EDGE) * height);
  return !(isAtEdge && !part.bold && part.size <= bodySize * SAME_SIZE && PAGE_NUMBER.test(text));
}

/** The caption of a figure or a table. */
export const isCaption = (text: string): boolean => CAPTION.test(stripEmphasis(text));

const asText = (part: PagePart): PagePart => ({ ...part, kind: 'text', level: 0, bold: true });
