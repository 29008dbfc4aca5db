// The liteparse engine (PDFium): layout blocks, positioned text, and page images for OCR.
import { LiteParse, type LiteParseConfig, type ParsedPage } from '@llamaindex/liteparse';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { ScanSigns } from '../page-parts.ts';

const OPTIONS: Partial<LiteParseConfig> = {
  ocrEnabled: false,
  quiet: true,
  // Only the blocks are used, but their detection is worse with `text`.
  outputFormat: 'markdown',
  imageMode: 'off',
  extractBlocks: true,
  emitWordBoxes: false,
  extractAnnotations: true,
  extractFormFields: true,
  // Headers and footers are recognised by comparing all pages, and liteparse sees only one batch.
  keepHeadersFooters: true,
  // Leaves out watermarks.
  skipDiagonalText: true,
  continueOnPageError: true,
};

// An A4 page has 3.9 million at 200 dpi.
const MAX_PIXELS = 12_000_000;
const OCR_DPI = 200;
const MIN_DPI = 20;
const POINTS_PER_INCH = 72;

export interface LiteparsePages {
  pages: ParsedPage[];
  totalPages: number;
  creator: string | undefined;
  producer: string | undefined;
}

/** `findScans` costs about 15 % more time. */
export async function readWithLiteparse(
  bytes: Uint8Array,
  from: number,
  to: number,
  findScans: boolean,
): Promise<LiteparsePages> {
  const parser = createParser({ targetPages: `${from}-${to}`, includeComplexity: findScans });
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

export function scanSignsOf({ complexity }: ParsedPage): ScanSigns | undefined {
  return (
    complexity && {
      pictureShare: complexity.imageCoverage,
      isScan: complexity.fullPageImage,
      isGarbled: complexity.isGarbled,
      hasDrawnText: complexity.reasons.includes('vector-text'),
    }
  );
}

/** Large pages get a lower resolution. Undefined if the page is so large that its text would be illegible. */
export async function drawPage(
  bytes: Uint8Array,
  pageNumber: number,
  width: number,
  height: number,
  wantedDpi = OCR_DPI,
): Promise<{ bytes: Uint8Array; dpi: number; isBlank: boolean } | undefined> {
  const squareInches = (Math.max(width, 1) * Math.max(height, 1)) / POINTS_PER_INCH ** 2;
  const dpi = Math.floor(Math.min(wantedDpi, Math.sqrt(MAX_PIXELS / squareInches)));
  if (dpi < MIN_DPI) return undefined;
  const [shot] = await createParser({ dpi, renderFormFields: true }).screenshot(bytes, [pageNumber]);
  return shot && { bytes: shot.imageBuffer, dpi, isBlank: shot.isSolidFill };
}

const createParser = (options: Partial<LiteParseConfig>): LiteParse => new LiteParse({ ...OPTIONS, ...options });
