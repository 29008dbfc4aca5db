// Files other than web pages: the kinds that can be parsed, the options of a parser, and its result.

/** Kinds with a parser. Text formats (html, xml, csv, json, markdown, ...) need none: the transform reads them itself. */
export const FILE_KINDS = [
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

export type FileKind = (typeof FILE_KINDS)[number];

export interface SourceFile {
  kind: FileKind;
  /** Taken from the upload or the URL. Only displayed, never opened. */
  name: string;
  bytes: Uint8Array;
}

/** fast: only text embedded in the file; auto: OCR for pages without text; ocr: OCR for all pages. */
export type PdfMode = 'fast' | 'auto' | 'ocr';

export interface PdfOptions {
  mode: PdfMode;
  maxPages?: number;
  /** Also return the Markdown of each page separately. */
  pages: boolean;
  /** Also return the blocks of each page with their bounding boxes. */
  blocks: boolean;
  /** Mark the start of each page in the Markdown. */
  pageMarkers: boolean;
}

export interface ParseOptions {
  pdf: PdfOptions;
  /** Unix time in milliseconds. OCR that would finish later is skipped, and a warning says so. */
  deadline: number;
}

/** HTML goes through the same transform as any page; Markdown is final. */
export interface ParsedFile {
  body: { html: string } | { markdown: string };
  /** From the file's own properties: title, author, description, language, publishedTime, modifiedTime, ... */
  metadata: Record<string, string | string[]>;
  /** Sentences for the caller about content that was cut or could not be read. */
  warnings: string[];
  /** Pages read and pages in the file. Only for formats that have pages. */
  numPages?: number;
  totalPages?: number;
  /** Where each of its pages begins in the Markdown. */
  pageStarts?: number[];
  pages?: PageMarkdown[];
  blocks?: PageBlocks[];
  /** Time ran out; a later attempt with more time would return more. */
  isPartial?: true;
}

export interface PageMarkdown {
  /** Starts at 1. */
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

/** Left, top, right, bottom as fractions of the page, 0 to 1. */
export type BlockBox = [x0: number, y0: number, x1: number, y1: number];

export interface PageBlock {
  /** `p<page>.b<n>` */
  id: string;
  type: BlockType;
  label: string | null;
  bbox: BlockBox | null;
  content: string;
  /** Position in the Markdown of the whole file, in UTF-16 units; the end is exclusive. */
  markdownSpan: [start: number, end: number] | null;
  /** Starts at 0 on each page. */
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
  items: PageBlock[];
}

/** Facts stored next to the content of a parsed file. */
export interface ParsedFileFacts {
  kind: FileKind;
  numPages?: number;
  totalPages?: number;
  /** Never served from the cache: a later request may have more time. */
  isPartial?: true;
}
