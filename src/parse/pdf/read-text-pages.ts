// Reads the embedded text of pages: with liteparse in small batches to save memory, doubtful pages also with
// pdf-inspector, and with pdf.js when both fail.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { chooseReading, isDoubtful } from './layout/choose-reading.ts';
import { addLinks } from './layout/page-links.ts';
import { correctHeadings } from './layout/pdf-headings.ts';
import { isPlausibleTable, tableAsText } from './layout/pdf-tables.ts';
import type { PagePart, PageReading } from './page-parts.ts';
import { formsAndNotes } from './readers/forms-and-notes.ts';
import { readWithLiteparse } from './readers/liteparse.ts';
import { type LiteparseReading, liteparseReading } from './readers/liteparse-parts.ts';
import { readWithInspector } from './readers/pdf-inspector.ts';
import { readWithPdfjs } from './readers/pdfjs.ts';

export interface TextPages {
  pages: PageReading[];
  totalPages: number;
  creator?: string | undefined;
  producer?: string | undefined;
}

// Smaller batches open the file too often, larger ones need too much memory.
const BATCH_PAGES = 40;
// pdf-inspector always reads the whole file, however few pages are requested.
const SECOND_READER_LIMITS = { pages: 60, bytes: 20 * 1024 * 1024 };

export interface TextRequest {
  lastPage: number;
  /** Whether to collect `scanSigns`. */
  findScans: boolean;
  isLate: () => boolean;
}

export async function readTextPages(bytes: Uint8Array, wish: TextRequest): Promise<TextPages> {
  try {
    return await readInRanges(bytes, wish);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    return await readWithFallbacks(bytes, wish);
  }
}

async function readInRanges(bytes: Uint8Array, { lastPage, findScans, isLate }: TextRequest): Promise<TextPages> {
  const first = await readWithLiteparse(bytes, 1, Math.min(lastPage, BATCH_PAGES), findScans);
  const { totalPages, creator, producer } = first;
  const end = Math.min(lastPage, totalPages);
  const maySecondRead = totalPages <= SECOND_READER_LIMITS.pages && bytes.byteLength <= SECOND_READER_LIMITS.bytes;
  const pages: (Omit<LiteparseReading, 'lines'> & { extras: PagePart[] })[] = [];
  const doubtful: LiteparseReading[] = [];
  let range = first;
  for (let from = 1; from <= end; from += BATCH_PAGES) {
    const to = Math.min(end, from + BATCH_PAGES - 1);
    if (from > 1) {
      if (isLate()) break;
      range = await readWithLiteparse(bytes, from, to, findScans);
    }
    const byNumber = new Map(range.pages.map((page) => [page.pageNum, page]));
    for (let pageNumber = from; pageNumber <= to; pageNumber++) {
      const page = byNumber.get(pageNumber);
      const lite = page
        ? liteparseReading(page, `pages from ${from}`)
        : { ...NOTHING_READ, reading: failedPage(pageNumber) };
      if (maySecondRead && (!page || isDoubtful(lite.reading))) doubtful.push(lite);
      pages.push({ reading: lite.reading, links: lite.links, extras: page ? formsAndNotes(page) : [] });
    }
  }
  const again =
    doubtful.length > 0 && !isLate() ? await secondReading(bytes, doubtful) : new Map<number, PageReading>();
  const finished = pages.map(({ reading, links, extras }) => {
    const page = again.get(reading.pageNumber) ?? withoutDoubtfulTables(reading);
    return { ...page, parts: [...addLinks(page.parts, links), ...extras] };
  });
  return { pages: finished, totalPages, creator, producer };
}

async function secondReading(
  bytes: Uint8Array,
  doubtful: readonly LiteparseReading[],
): Promise<Map<number, PageReading>> {
  const numbers = doubtful.map(({ reading }) => reading.pageNumber);
  // If it fails, the first reading still stands.
  const others = await readWithInspector(bytes, numbers).catch(() => undefined);
  if (!others) return new Map();
  return new Map(
    doubtful.map((lite) => {
      const other = others.get(lite.reading.pageNumber) ?? [];
      const chosen = other.length > 0 ? chooseReading(lite, other) : withoutDoubtfulTables(lite.reading);
      return [chosen.pageNumber, { ...chosen, status: chosen.parts.length > 0 ? 'ok' : lite.reading.status }];
    }),
  );
}

/** No second reading has confirmed its tables, so implausible ones become text. */
const withoutDoubtfulTables = (page: PageReading): PageReading => ({
  ...page,
  parts: page.parts.flatMap((part) => (part.kind !== 'table' || isPlausibleTable(part) ? [part] : tableAsText(part))),
});

async function readWithFallbacks(bytes: Uint8Array, { lastPage, isLate }: TextRequest): Promise<TextPages> {
  const others = await readWithInspector(bytes).catch(() => undefined);
  const numbers = [...(others?.keys() ?? [])].slice(0, lastPage);
  const pages = numbers.map((pageNumber): PageReading => {
    const parts = others!.get(pageNumber)!;
    return correctHeadings({ ...failedPage(pageNumber), parts, status: 'ok' });
  });
  if (pages.some(({ parts }) => parts.length > 0)) return { pages, totalPages: others!.size };
  return await readWithPdfjs(bytes, lastPage, isLate);
}

const failedPage = (pageNumber: number): PageReading => ({
  pageNumber,
  width: 0,
  height: 0,
  parts: [],
  source: 'text',
  bodySize: 0,
  scope: '',
  garbled: 0,
  status: 'failed',
});

const NOTHING_READ = { lines: [], links: [] };
