// The text of the pages that have some: by liteparse, a few pages at a time, so that memory stays small; where its reading is in
// doubt by pdf-inspector too; by pdf.js where both give up.
import { ServiceError } from '../../contracts/errors.ts';
import { choose, isDoubtful } from './layout/choose-reading.ts';
import { withLinks } from './layout/page-links.ts';
import { settleHeadings } from './layout/pdf-headings.ts';
import { isPlausible, tableAsText } from './layout/pdf-tables.ts';
import type { PageReading, Part } from './page-parts.ts';
import { extrasOf } from './readers/forms-and-notes.ts';
import { readPages } from './readers/liteparse.ts';
import { type LiteReading, readingOf } from './readers/liteparse-parts.ts';
import { readAgain } from './readers/pdf-inspector.ts';
import { readWithPdfjs } from './readers/pdfjs.ts';

export interface TextPages {
  pages: PageReading[];
  totalPages: number;
  creator?: string | undefined;
  producer?: string | undefined;
}

// Fewer would open the file too often, more would hold too much at once.
const PAGES_AT_ONCE = 40;
// The second reader goes through the whole file, however few pages it is asked for.
const SECOND_READER = { pages: 60, bytes: 20 * 1024 * 1024 };

export interface TextWish {
  lastPage: number;
  /** Whether pages are to tell if they are pictures of text. */
  hasSigns: boolean;
  isLate: () => boolean;
}

export async function readText(bytes: Uint8Array, wish: TextWish): Promise<TextPages> {
  try {
    return await readInRanges(bytes, wish);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    return await readOtherwise(bytes, wish);
  }
}

async function readInRanges(bytes: Uint8Array, { lastPage, hasSigns, isLate }: TextWish): Promise<TextPages> {
  const first = await readPages(bytes, 1, Math.min(lastPage, PAGES_AT_ONCE), hasSigns);
  const { totalPages, creator, producer } = first;
  const end = Math.min(lastPage, totalPages);
  const mayAskAgain = totalPages <= SECOND_READER.pages && bytes.byteLength <= SECOND_READER.bytes;
  const pages: (Omit<LiteReading, 'lines'> & { extras: Part[] })[] = [];
  const doubtful: LiteReading[] = [];
  let range = first;
  for (let from = 1; from <= end; from += PAGES_AT_ONCE) {
    const to = Math.min(end, from + PAGES_AT_ONCE - 1);
    if (from > 1) {
      if (isLate()) break;
      range = await readPages(bytes, from, to, hasSigns);
    }
    const byNumber = new Map(range.pages.map((page) => [page.pageNum, page]));
    for (let pageNumber = from; pageNumber <= to; pageNumber++) {
      const page = byNumber.get(pageNumber);
      const lite = page ? readingOf(page, `pages from ${from}`) : { ...UNREAD, reading: failed(pageNumber) };
      if (mayAskAgain && (!page || isDoubtful(lite.reading))) doubtful.push(lite);
      pages.push({ reading: lite.reading, links: lite.links, extras: page ? extrasOf(page) : [] });
    }
  }
  const again =
    doubtful.length > 0 && !isLate() ? await secondReading(bytes, doubtful) : new Map<number, PageReading>();
  const finished = pages.map(({ reading, links, extras }) => {
    const page = again.get(reading.pageNumber) ?? plain(reading);
    return { ...page, parts: [...withLinks(page.parts, links), ...extras] };
  });
  return { pages: finished, totalPages, creator, producer };
}

async function secondReading(bytes: Uint8Array, doubtful: readonly LiteReading[]): Promise<Map<number, PageReading>> {
  const numbers = doubtful.map(({ reading }) => reading.pageNumber);
  // Without it there is still the first reading.
  const others = await readAgain(bytes, numbers).catch(() => undefined);
  if (!others) return new Map();
  return new Map(
    doubtful.map((lite) => {
      const other = others.get(lite.reading.pageNumber) ?? [];
      const chosen = other.length > 0 ? choose(lite, other) : plain(lite.reading);
      return [chosen.pageNumber, { ...chosen, status: chosen.parts.length > 0 ? 'ok' : lite.reading.status }];
    }),
  );
}

/** Nobody has confirmed its tables. */
const plain = (page: PageReading): PageReading => ({
  ...page,
  parts: page.parts.flatMap((part) => (part.kind !== 'table' || isPlausible(part) ? [part] : tableAsText(part))),
});

async function readOtherwise(bytes: Uint8Array, { lastPage, isLate }: TextWish): Promise<TextPages> {
  const others = await readAgain(bytes).catch(() => undefined);
  const numbers = [...(others?.keys() ?? [])].slice(0, lastPage);
  const pages = numbers.map((pageNumber): PageReading => {
    const parts = others!.get(pageNumber)!;
    return settleHeadings({ ...failed(pageNumber), parts, status: 'ok' });
  });
  if (pages.some(({ parts }) => parts.length > 0)) return { pages, totalPages: others!.size };
  return await readWithPdfjs(bytes, lastPage, isLate);
}

const failed = (pageNumber: number): PageReading => ({
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

const UNREAD = { lines: [], links: [] };
