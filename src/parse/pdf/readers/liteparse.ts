// Reads pages with liteparse (PDFium): parts with their places, the text as it lies on the page, and pictures of pages for OCR.
import { LiteParse, type LiteParseConfig, type ParsedPage } from '@llamaindex/liteparse';
import { ServiceError } from '../../../contracts/errors.ts';
import type { PageSigns } from '../page-parts.ts';

const OPTIONS: Partial<LiteParseConfig> = {
  ocrEnabled: false,
  quiet: true,
  // Only the parts are used, but for `text` they are found with less care.
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

// A4 has 3.9 million at 200 dpi.
const MOST_PIXELS = 12_000_000;
const OCR_DPI = 200;
const LEAST_DPI = 20;
const POINTS_TO_THE_INCH = 72;

export interface LitePages {
  pages: ParsedPage[];
  totalPages: number;
  creator: string | undefined;
  producer: string | undefined;
}

/** Looking for signs of pictures costs about a seventh more. */
export async function readPages(bytes: Uint8Array, from: number, to: number, hasSigns: boolean): Promise<LitePages> {
  const parser = parserOf({ targetPages: `${from}-${to}`, includeComplexity: hasSigns });
  try {
    const { pages, totalPages, creator, producer } = await parser.parse(bytes);
    return { pages, totalPages, creator, producer };
  } catch (cause) {
    if (cause instanceof Error && /password|encrypt/i.test(cause.message)) {
      throw new ServiceError('DOCUMENT_ENCRYPTED', { cause });
    }
    throw cause;
  }
}

export function signsOf({ complexity }: ParsedPage): PageSigns | undefined {
  return (
    complexity && {
      pictures: complexity.imageCoverage,
      isScan: complexity.fullPageImage,
      isGarbled: complexity.isGarbled,
      hasDrawnText: complexity.reasons.includes('vector-text'),
    }
  );
}

/** With fewer dots to the inch where the page is large. Undefined for one so large that its letters would be specks. */
export async function drawPage(
  bytes: Uint8Array,
  pageNumber: number,
  width: number,
  height: number,
  wantedDpi = OCR_DPI,
): Promise<{ bytes: Uint8Array; dpi: number; isBlank: boolean } | undefined> {
  const squareInches = (Math.max(width, 1) * Math.max(height, 1)) / POINTS_TO_THE_INCH ** 2;
  const dpi = Math.floor(Math.min(wantedDpi, Math.sqrt(MOST_PIXELS / squareInches)));
  if (dpi < LEAST_DPI) return undefined;
  const [shot] = await parserOf({ dpi, renderFormFields: true }).screenshot(bytes, [pageNumber]);
  return shot && { bytes: shot.imageBuffer, dpi, isBlank: shot.isSolidFill };
}

const parserOf = (options: Partial<LiteParseConfig>): LiteParse => new LiteParse({ ...OPTIONS, ...options });
