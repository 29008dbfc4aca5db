// The content of a page, independent of the engine that read it. Positions are in points from the top left corner.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Repeated at the edge of pages: listed among the blocks, left out of the Markdown. */
export type Margin = 'page_header' | 'page_footer' | 'page_number';

export interface PagePart {
  /** `ready`: finished Markdown, possibly several lines. */
  kind: 'heading' | 'text' | 'list' | 'code' | 'table' | 'rule' | 'ready';
  /** Inline Markdown without heading or list markers; empty for tables. */
  text: string;
  /** Headings start at 1, list items at 0. */
  level: number;
  /** For list items: `-`, or a number with its punctuation. */
  marker?: string;
  /** For tables; the first row is the header. */
  rows?: string[][];
  /** Whether all of it is bold. */
  bold: boolean;
  italic: boolean;
  box?: Box;
  /** Font size in points; 0 if unknown. */
  size: number;
  margin?: Margin;
  /** OCR confidence, 0 to 1. */
  confidence?: number;
}

/** Indications that a page is a picture of text. */
export interface ScanSigns {
  /** Share of the page that pictures cover, 0 to 1. */
  pictureShare: number;
  isScan: boolean;
  isGarbled: boolean;
  hasDrawnText: boolean;
}

export interface PageReading {
  /** Starts at 1. */
  pageNumber: number;
  /** In points; 0 if unknown. */
  width: number;
  height: number;
  parts: PagePart[];
  /** Pages with the same scope were read together, so their heading levels are comparable. */
  scope: string;
  source: 'text' | 'ocr';
  /** The most common font size on the page. */
  bodySize: number;
  /** Share of the embedded text that does not match what the page shows, 0 to 1. */
  garbled: number;
  /** Only if requested. */
  scanSigns?: ScanSigns;
  status: 'ok' | 'partial' | 'failed';
}

const LETTER = /[\p{L}\p{N}]/gu;

export const countLetters = (text: string): number => text.match(LETTER)?.length ?? 0;

export const partText = (part: PagePart): string => part.rows?.map((row) => row.join(' ')).join(' ') ?? part.text;

export const lettersIn = (parts: readonly PagePart[]): number =>
  parts.reduce((sum, part) => sum + countLetters(partText(part)), 0);

export function unionBox(a: Box | undefined, b: Box): Box {
  if (!a) return { x: b.x, y: b.y, width: b.width, height: b.height };
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const right = Math.max(a.x + a.width, b.x + b.width);
  const bottom = Math.max(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}
