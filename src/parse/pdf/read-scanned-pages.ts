// Reads scanned pages by OCR, one per core in parallel, until time runs out.
import { availableParallelism } from 'node:os';
import type { Clock } from '../../util/clock.ts';
import { ocrBlocks } from '../ocr/layout/ocr-markdown.ts';
import type { Ocr, OcrText } from '../ocr/ocr.ts';
import { countLetters, type PagePart, type PageReading } from './page-parts.ts';
import { drawPage } from './readers/liteparse.ts';

/** Time kept for the work after the last page. */
const RESERVE_MS = 1_500;
const FIRST_GUESS_MS = 3_000;
// Below this, a few letters are usually specks or frame lines.
const MIN_CONFIDENCE = 0.3;

export interface OcrPages {
  read: Map<number, PageReading>;
  /** Skipped for lack of time. */
  late: number[];
  /** Could not be rendered, or are too large. */
  unreadable: number[];
}

export async function readScannedPages(
  bytes: Uint8Array,
  pages: readonly PageReading[],
  { ocr, deadline, clock }: { ocr: Ocr; deadline: number; clock: Clock },
): Promise<OcrPages> {
  const read = new Map<number, PageReading>();
  const late: number[] = [];
  const unreadable: number[] = [];
  const end = deadline - RESERVE_MS;
  const signal = AbortSignal.timeout(Math.max(0, Math.floor(end - clock.now())));
  let [next, slowest] = [0, FIRST_GUESS_MS];
  const worker = async () => {
    for (let page = pages[next++]; page; page = pages[next++]) {
      const began = clock.now();
      if (signal.aborted || began + slowest > end) {
        late.push(page.pageNumber);
        continue;
      }
      try {
        const reading = await readScannedPage(bytes, page, ocr, signal);
        if (reading) read.set(page.pageNumber, reading);
        else unreadable.push(page.pageNumber);
        slowest = Math.max(slowest, clock.now() - began);
      } catch {
        // One bad page must not cost the others.
        (signal.aborted ? late : unreadable).push(page.pageNumber);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(pages.length, availableParallelism()) }, worker));
  const inOrder = (numbers: number[]) => numbers.sort((a, b) => a - b);
  return { read, late: inOrder(late), unreadable: inOrder(unreadable) };
}

async function readScannedPage(
  bytes: Uint8Array,
  page: PageReading,
  ocr: Ocr,
  signal: AbortSignal,
): Promise<PageReading | undefined> {
  const picture = await drawPage(bytes, page.pageNumber, page.width, page.height);
  if (!picture) return undefined;
  if (picture.isBlank) return { ...page, parts: [], source: 'ocr', status: 'ok' };
  const text = await ocr.read({ bytes: picture.bytes, dpi: picture.dpi }, signal);
  return { ...page, parts: ocrParts(text, page), source: 'ocr', status: 'ok' };
}

export function ocrParts(text: OcrText, { width, height }: { width: number; height: number }): PagePart[] {
  const points = text.height > 0 ? height / text.height : 0;
  return ocrBlocks(text).flatMap(({ type, content, bbox: [x0, y0, x1, y1], confidence }, at): PagePart[] => {
    if (confidence < MIN_CONFIDENCE && countLetters(content) < 4) return [];
    const { rows, lineHeight } = text.blocks[at]!;
    const base = {
      text: '',
      level: 1,
      bold: false,
      italic: false,
      size: lineHeight * points,
      box: { x: x0 * width, y: y0 * height, width: (x1 - x0) * width, height: (y1 - y0) * height },
      confidence,
    };
    if (rows) return [{ ...base, kind: 'table', rows }];
    if (type === 'text') return [{ ...base, kind: 'ready', text: content }];
    return [{ ...base, kind: 'heading', text: content.replace(/^#+ /, '') }];
  });
}
