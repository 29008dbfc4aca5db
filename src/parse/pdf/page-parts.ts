// What a page is made of, whoever read it. Places are in points from the top left corner.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Repeated at the edge of pages: told among the blocks, not in the Markdown. */
export type Margin = 'page_header' | 'page_footer' | 'page_number';

export interface Part {
  /** `ready` is Markdown of several lines as it is to be. */
  kind: 'heading' | 'text' | 'list' | 'code' | 'table' | 'rule' | 'ready';
  /** Inline Markdown, without what marks its kind; of a table nothing. */
  text: string;
  /** Of a heading from 1, of a list item from 0. */
  level: number;
  /** Of a list item: `-` or a number with what follows it. */
  marker?: string;
  /** Of a table; the first row is its head. */
  rows?: string[][];
  /** All of it. */
  bold: boolean;
  italic: boolean;
  box?: Box;
  /** Height of its letters in points; 0 where nobody knows. */
  size: number;
  margin?: Margin;
  /** How sure OCR is of it, 0 to 1. */
  confidence?: number;
}

/** What tells whether a page is a picture of text. */
export interface PageSigns {
  /** How much of the page pictures cover, 0 to 1. */
  pictures: number;
  isScan: boolean;
  isGarbled: boolean;
  hasDrawnText: boolean;
}

export interface PageReading {
  /** From 1. */
  pageNumber: number;
  /** In points; 0 where nobody knows. */
  width: number;
  height: number;
  parts: Part[];
  /** The pages with the same one were read together: their levels of headings compare. */
  scope: string;
  source: 'text' | 'ocr';
  /** Size of the letters that most of the page is written in. */
  bodySize: number;
  /** How much of the page's own text seems not to be what the page shows, 0 to 1. */
  garbled: number;
  /** Where they were asked for. */
  signs?: PageSigns;
  status: 'ok' | 'partial' | 'failed';
}

const LETTER = /[\p{L}\p{N}]/gu;

export const countLetters = (text: string): number => text.match(LETTER)?.length ?? 0;

export const plainOf = (part: Part): string => part.rows?.map((row) => row.join(' ')).join(' ') ?? part.text;

export const lettersOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, part) => sum + countLetters(plainOf(part)), 0);

export function union(a: Box | undefined, b: Box): Box {
  if (!a) return { x: b.x, y: b.y, width: b.width, height: b.height };
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const right = Math.max(a.x + a.width, b.x + b.width);
  const bottom = Math.max(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}
