// Reads a PDF: page after page as text, pictures of text by OCR, then what only the whole document tells (running heads, levels).
import { ServiceError } from '../../contracts/errors.ts';
import type { ParsedFile, ParseOptions, SourceFile } from '../../contracts/parsed.ts';
import { type Clock, systemClock } from '../../util/clock.ts';
import type { FormatParser, ParserTools } from '../format-parser.ts';
import { damagedFile } from '../parse-errors.ts';
import { picturesOfText } from './find-scanned-pages.ts';
import { setLevels } from './layout/heading-levels.ts';
import { markMargins } from './layout/margins.ts';
import { lettersOf, type PageReading } from './page-parts.ts';
import { pagesInWords } from './page-ranges.ts';
import { metadataOf } from './pdf-metadata.ts';
import { readPictures } from './read-scanned-pages.ts';
import { readText } from './read-text-pages.ts';
import { writeDocument } from './write-markdown.ts';

// A longer document is cut, as one with `maxPages` is.
const MOST_PAGES = 10_000;
/** Writing what was read takes a moment too. */
const RESERVE_MS = 1_000;

interface Bounds {
  clock: Clock;
  mostPages: number;
}

export const parsePdf: FormatParser = (file, options, tools) =>
  parsePdfWithin(file, options, tools, { clock: systemClock, mostPages: MOST_PAGES });

/** What there is no time for, and pages beyond the bounds, are left out. */
export async function parsePdfWithin(
  { bytes }: SourceFile,
  { pdf, deadline }: ParseOptions,
  tools: ParserTools,
  { clock, mostPages }: Bounds,
): Promise<ParsedFile> {
  const lastPage = Math.min(pdf.maxPages ?? mostPages, mostPages);
  const isLate = () => clock.now() > deadline - RESERVE_MS;
  const text = await readText(bytes, { lastPage, hasSigns: pdf.mode === 'auto', isLate });
  const warnings: string[] = [];
  const wanted = Math.min(lastPage, text.totalPages);
  if (text.pages.length === 0) throw damagedFile('it has no page that could be read.');
  const isCut = text.pages.length < wanted;
  if (isCut) {
    warnings.push(
      `${pagesInWords(range(text.pages.length + 1, wanted))} not read: the time ran out. Allow a longer \`timeout\`.`,
    );
  }
  if (pdf.maxPages === undefined && text.totalPages > mostPages) {
    warnings.push(`The document has ${text.totalPages} pages; the first ${mostPages} were read.`);
  }

  const { pages, isLate: isOcrLate } = await withPictures(bytes, text.pages, {
    mode: pdf.mode,
    deadline,
    clock,
    tools,
    warnings,
  });
  markMargins(pages);
  setLevels(pages);
  const { markdown, pages: pageMarkdown, blocks } = writeDocument(pages, pdf.pageMarkers);
  return {
    body: { markdown },
    metadata: metadataOf(bytes, text),
    warnings,
    numPages: pages.length,
    totalPages: text.totalPages,
    ...(pdf.pages && { pages: pageMarkdown }),
    ...(pdf.blocks && { blocks }),
    ...((isCut || isOcrLate) && { isPartial: true as const }),
  };
}

interface OcrWish {
  mode: ParseOptions['pdf']['mode'];
  deadline: number;
  clock: Clock;
  tools: ParserTools;
  warnings: string[];
}

interface WithPictures {
  pages: PageReading[];
  /** There was no time for some. */
  isLate: boolean;
}

/** The pages, those that are pictures of text read by OCR where that may and can be. */
async function withPictures(bytes: Uint8Array, pages: PageReading[], wish: OcrWish): Promise<WithPictures> {
  const { mode, tools, warnings } = wish;
  if (mode === 'fast') {
    const empty = pages.filter(({ parts }) => lettersOf(parts) === 0).map(({ pageNumber }) => pageNumber);
    if (empty.length > 0) {
      warnings.push(
        `${pagesInWords(empty)} left without text. Scans are read with the mode \`auto\` of the PDF parser.`,
      );
    }
    return { pages, isLate: false };
  }
  const pictures = mode === 'ocr' ? pages : await picturesOfText(bytes, pages);
  if (pictures.length === 0) return { pages, isLate: false };
  const reason = tools.ocr.unavailable();
  if (reason !== undefined) {
    refuseEmpty(pages, reason);
    warnings.push(`${pagesInWords(pictures.map(({ pageNumber }) => pageNumber))} not read by OCR: ${reason}`);
    return { pages: marked(pages, new Set(mode === 'ocr' ? [] : pictures)), isLate: false };
  }
  const { read, late, unreadable } = await readPictures(bytes, pictures, { ...wish, ocr: tools.ocr });
  if (unreadable.length > 0) warnings.push(`${pagesInWords(unreadable)} not read by OCR: they could not be drawn.`);
  if (late.length > 0) {
    warnings.push(`${pagesInWords(late)} not read by OCR: the time ran out. Allow a longer \`timeout\`.`);
  }
  const unread = new Set(pictures.filter(({ pageNumber }) => !read.has(pageNumber)));
  const better = marked(pages, unread).map((page) => betterOf(page, read.get(page.pageNumber)));
  return { pages: better, isLate: late.length > 0 };
}

function refuseEmpty(pages: readonly PageReading[], reason: string): void {
  if (pages.some(({ parts }) => lettersOf(parts) > 0)) return;
  throw new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message: `The document is scanned, and pictures of text are not read here. ${reason}`,
  });
}

const marked = (pages: PageReading[], unread: ReadonlySet<PageReading>): PageReading[] =>
  pages.map((page) => (unread.has(page) ? { ...page, status: 'partial' } : page));

/** What OCR read, unless it saw less than the page says itself. */
function betterOf(page: PageReading, read: PageReading | undefined): PageReading {
  if (!read) return page;
  const isEmpty = lettersOf(read.parts) === 0 && lettersOf(page.parts) > 0;
  return isEmpty ? page : read;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
