// What becomes of a file that is no web page: the kinds that are read, what may be asked of a reader, and what it gives.

/** Each has one parser. Text of every kind (html, xml, csv, json, markdown, ...) needs none: the transform reads it itself. */
export const DOCUMENT_KINDS = [
  'pdf',
  'docx',
  'doc',
  'odt',
  'rtf',
  'xlsx',
  'xls',
  'xlsb',
  'ods',
  'pptx',
  'ppt',
  'odp',
  'epub',
  'eml',
  'msg',
  'ipynb',
  'tex',
  'image',
] as const;

export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export interface DocumentFile {
  kind: DocumentKind;
  /** As the uploader or the address names it; it is shown and never opened. */
  name: string;
  bytes: Uint8Array;
}

/** fast: the text that is in the file; auto: OCR for the pages that have none; ocr: OCR for all of them. */
export type PdfMode = 'fast' | 'auto' | 'ocr';

export interface PdfOptions {
  mode: PdfMode;
  maxPages?: number;
  /** The Markdown of each page by itself as well. */
  pages: boolean;
  /** The parts of each page with their places as well. */
  blocks: boolean;
  /** A mark in the Markdown where a page begins. */
  pageMarkers: boolean;
}

export interface DocumentOptions {
  pdf: PdfOptions;
  /** When the answer must be there, in milliseconds since 1970: OCR that would end later is left out, and a warning says so. */
  deadline: number;
}

/** What a parser makes of a file. HTML goes through the same transform as any page, Markdown is final. */
export interface ParsedDocument {
  body: { html: string } | { markdown: string };
  /** What the file says of itself: title, author, description, language, publishedTime, modifiedTime, ... */
  metadata: Record<string, string | string[]>;
  /** Sentences for the caller: what was cut or could not be done. */
  warnings: string[];
  /** Pages that were read, and pages that there are; only where the format has pages. */
  numPages?: number;
  totalPages?: number;
  pages?: PageMarkdown[];
  blocks?: PageBlocks[];
  /** The time ran out: with more of it there would be more. */
  isPartial?: true;
}

export interface PageMarkdown {
  /** From 1. */
  pageNumber: number;
  markdown: string;
}

export const BLOCK_TYPES = [
  'title',
  'section_header',
  'text',
  'table',
  'formula',
  'figure',
  'caption',
  'page_number',
  'page_header',
  'page_footer',
] as const;

export type BlockType = (typeof BLOCK_TYPES)[number];

/** Left, top, right, bottom, as parts of the page from 0 to 1. */
export type BlockBox = [x0: number, y0: number, x1: number, y1: number];

export interface DocumentBlock {
  /** `p<page>.b<n>` */
  id: string;
  type: BlockType;
  label: string | null;
  bbox: BlockBox | null;
  content: string;
  /** Where it stands in the Markdown of the whole document, in UTF-16 units: from, and up to but not including. */
  markdownSpan: [start: number, end: number] | null;
  /** From 0 within its page. */
  readingOrder: number;
  source: 'text' | 'ocr' | null;
  confidence: { layout: number | null; ocr: number | null };
}

export interface PageBlocks {
  pageNumber: number;
  /** In points. */
  width: number | null;
  height: number | null;
  status: 'ok' | 'partial' | 'failed';
  items: DocumentBlock[];
}

/** What is remembered of a document beside its content. */
export interface DocumentFacts {
  kind: DocumentKind;
  numPages?: number;
  totalPages?: number;
  /** Nothing for those who ask later, perhaps with more time. */
  isPartial?: true;
}
