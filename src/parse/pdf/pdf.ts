// Parses PDFs: embedded text page by page, scanned pages by OCR, then what needs all pages (headers, heading levels).
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ParsedFile, ParseOptions, SourceFile } from '../../page/parsed.ts';
import { type Clock, systemClock } from '../../util/clock.ts';
import type { FormatParser, ParserTools } from '../format-parser.ts';
import { damagedFile } from '../parse-errors.ts';
import { findScannedPages } from './find-scanned-pages.ts';
import { assignHeadingLevels } from './layout/heading-levels.ts';
import { markMargins } from './layout/margins.ts';
import { lettersIn, type PageReading } from './page-parts.ts';
import { pdfMetadata } from './pdf-metadata.ts';
import { readScannedPages } from './read-scanned-pages.ts';
import { readTextPages } from './read-text-pages.ts';
import { writeMarkdown } from './write-markdown.ts';

// Longer files are cut, as with the `maxPages` option.
const MAX_PAGES = 10_000;
/** Time kept for writing the result. */
const RESERVE_MS = 1_000;

interface Bounds {
  clock: Clock;
  maxPages: number;
}

export const parsePdf: FormatParser = (file, options, tools) =>
  parsePdfWithin(file, options, tools, { clock: systemClock, maxPages: MAX_PAGES });

/** Leaves out pages beyond the bounds and pages that there is no time for. */
export async function parsePdfWithin(
  { bytes }: SourceFile,
  { pdf, deadline }: ParseOptions,
  tools: ParserTools,
  { clock, maxPages }: Bounds,
): Promise<ParsedFile> {
  const lastPage = Math.min(pdf.maxPages ?? maxPages, maxPages);
  const isLate = () => clock.now() > deadline - RESERVE_MS;
  const text = await readTextPages(bytes, { lastPage, findScans: pdf.mode === 'auto', isLate });
  const warnings: string[] = [];
  const wanted = Math.min(lastPage, text.totalPages);
  if (text.pages.length === 0) throw damagedFile('No page could be read.');
  const isCut = text.pages.length < wanted;
  if (isCut) {
    warnings.push(
      `${describePages(range(text.pages.length + 1, wanted))} not read because time ran out. Allow a longer \`timeout\`.`,
    );
  }
  if (pdf.maxPages === undefined && text.totalPages > maxPages) {
    warnings.push(`The file has ${text.totalPages} pages; only the first ${maxPages} were read.`);
  }

  const { pages, isLate: isOcrLate } = await withOcr(bytes, text.pages, {
    mode: pdf.mode,
    deadline,
    clock,
    tools,
    warnings,
  });
  markMargins(pages);
  assignHeadingLevels(pages);
  const { markdown, pages: pageMarkdown, pageStarts, blocks } = writeMarkdown(pages, pdf.pageMarkers);
  return {
    body: { markdown },
    metadata: pdfMetadata(bytes, text),
    warnings,
    numPages: pages.length,
    totalPages: text.totalPages,
    pageStarts,
    ...(pdf.pages && { pages: pageMarkdown }),
    ...(pdf.blocks && { blocks }),
    ...((isCut || isOcrLate) && { isPartial: true as const }),
  };
}

interface OcrRequest {
  mode: ParseOptions['pdf']['mode'];
  deadline: number;
  clock: Clock;
  tools: ParserTools;
  warnings: string[];
}

interface OcrResult {
  pages: PageReading[];
  /** Some pages were skipped for lack of time. */
  isLate: boolean;
}

/** Replaces scanned pages by their OCR text, if the mode and the installed tools allow it. */
async function withOcr(bytes: Uint8Array, pages: PageReading[], wish: OcrRequest): Promise<OcrResult> {
  const { mode, tools, warnings } = wish;
  if (mode === 'fast') {
    const empty = pages.filter(({ parts }) => lettersIn(parts) === 0).map(({ pageNumber }) => pageNumber);
    if (empty.length > 0) {
      warnings.push(
        `${describePages(empty)} left without text. To read scanned pages, use the PDF parser mode \`auto\`.`,
      );
    }
    return { pages, isLate: false };
  }
  const pictures = mode === 'ocr' ? pages : await findScannedPages(bytes, pages);
  if (pictures.length === 0) return { pages, isLate: false };
  const reason = await tools.ocr.unavailable();
  if (reason !== undefined) {
    rejectEmpty(pages, reason);
    warnings.push(`${describePages(pictures.map(({ pageNumber }) => pageNumber))} not read by OCR: ${reason}`);
    return { pages: markUnread(pages, new Set(mode === 'ocr' ? [] : pictures)), isLate: false };
  }
  const { read, late, unreadable } = await readScannedPages(bytes, pictures, { ...wish, ocr: tools.ocr });
  if (unreadable.length > 0)
    warnings.push(`${describePages(unreadable)} not read by OCR because they could not be rendered.`);
  if (late.length > 0) {
    warnings.push(`${describePages(late)} not read by OCR because time ran out. Allow a longer \`timeout\`.`);
  }
  const unread = new Set(pictures.filter(({ pageNumber }) => !read.has(pageNumber)));
  const better = markUnread(pages, unread).map((page) => betterOf(page, read.get(page.pageNumber)));
  return { pages: better, isLate: late.length > 0 };
}

function rejectEmpty(pages: readonly PageReading[], reason: string): void {
  if (pages.some(({ parts }) => lettersIn(parts) > 0)) return;
  throw new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message: `The file is scanned and OCR is not available. ${reason}`,
  });
}

const markUnread = (pages: PageReading[], unread: ReadonlySet<PageReading>): PageReading[] =>
  pages.map((page) => (unread.has(page) ? { ...page, status: 'partial' } : page));

/** The OCR text, unless OCR found nothing on a page that has embedded text. */
function betterOf(page: PageReading, read: PageReading | undefined): PageReading {
  if (!read) return page;
  const isEmpty = lettersIn(read.parts) === 0 && lettersIn(page.parts) > 0;
  return isEmpty ? page : read;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

const MAX_RANGES = 8;

/** `Page 3 was`, `Pages 1, 4 and 12 to 40 were`. The numbers must be sorted. */
export function describePages(pages: readonly number[]): string {
  const ranges: [from: number, to: number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last && last[1] === page - 1) last[1] = page;
    else ranges.push([page, page]);
  }
  if (pages.length === 1) return `Page ${pages[0]} was`;
  const words = ranges.slice(0, MAX_RANGES).map(([from, to]) => {
    if (from === to) return String(from);
    return to === from + 1 ? `${from}, ${to}` : `${from} to ${to}`;
  });
  if (ranges.length > MAX_RANGES) words.push('others');
  return words.length === 1
    ? `Pages ${words[0]} were`
    : `Pages ${words.slice(0, -1).join(', ')} and ${words.at(-1)} were`;
}
