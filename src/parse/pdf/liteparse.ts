// Reads pages with liteparse (PDFium): parts with their places, the text as it lies on the page, and pictures of pages for OCR.
import { LiteParse, type LiteParseConfig, type ParsedPage } from '@llamaindex/liteparse';
import { ServiceError } from '../../contracts/errors.ts';

const OPTIONS: Partial<LiteParseConfig> = {
  ocrEnabled: false,
  quiet: true,
  outputFormat: 'markdown',
  imageMode: 'off',
  extractBlocks: true,
  emitWordBoxes: false,
  extractAnnotations: true,
  extractFormFields: true,
  // Running heads are told by what all pages have in common, and here only a few are seen at a time.
  keepHeadersFooters: true,
  // Watermarks lie across the text.
  skipDiagonalText: true,
  continueOnPageError: true,
};

// A4 has 3.9 million at 200 dpi; plans and posters get fewer dots to the inch.
const MOST_PIXELS = 12_000_000;
const OCR_DPI = 200;
const POINTS_TO_THE_INCH = 72;

export interface LitePages {
  pages: ParsedPage[];
  totalPages: number;
  creator: string | undefined;
  producer: string | undefined;
}

/** What tells whether a page is a picture of text. */
export interface PageSigns {
  pageNumber: number;
  pictures: number;
  isScan: boolean;
  isGarbled: boolean;
  drawnText: boolean;
}

export async function readPages(bytes: Uint8Array, from: number, to: number): Promise<LitePages> {
  const result = await withErrors(() => parserOf({ targetPages: `${from}-${to}` }).parse(bytes));
  return { pages: result.pages, totalPages: result.totalPages, creator: result.creator, producer: result.producer };
}

export async function readSigns(bytes: Uint8Array, pages: readonly number[]): Promise<PageSigns[]> {
  const stats = await withErrors(() => parserOf({ targetPages: pages.join(',') }).isComplex(bytes));
  return stats.map((page) => ({
    pageNumber: page.pageNumber,
    pictures: page.imageCoverage,
    isScan: page.fullPageImage,
    isGarbled: page.isGarbled,
    drawnText: page.reasons.includes('vector-text'),
  }));
}

export async function drawPage(
  bytes: Uint8Array,
  pageNumber: number,
  width: number,
  height: number,
): Promise<{ bytes: Uint8Array; dpi: number; isBlank: boolean } | undefined> {
  const inches = (Math.max(width, 1) * Math.max(height, 1)) / POINTS_TO_THE_INCH ** 2;
  const dpi = Math.floor(Math.min(OCR_DPI, Math.sqrt(MOST_PIXELS / inches)));
  // A page so large that its letters would be a few dots high.
  if (dpi < 20) return undefined;
  const [shot] = await parserOf({ dpi, renderFormFields: true }).screenshot(bytes, [pageNumber]);
  return shot && { bytes: shot.imageBuffer, dpi, isBlank: shot.isSolidFill };
}

const parserOf = (options: Partial<LiteParseConfig>): LiteParse => new LiteParse({ ...OPTIONS, ...options });

async function withErrors<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof Error && /password|encrypt/i.test(cause.message)) {
      throw new ServiceError('DOCUMENT_ENCRYPTED', { cause });
    }
    throw cause;
  }
}
