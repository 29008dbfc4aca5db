// Parses pictures by OCR; a TIFF with several pages page by page.
import { availableParallelism } from 'node:os';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ParsedFile } from '../../page/parsed.ts';
import { systemClock } from '../../util/clock.ts';
import type { FormatParser } from '../format-parser.ts';
import { ocrMarkdown } from '../ocr/layout/ocr-markdown.ts';
import type { Ocr } from '../ocr/ocr.ts';
import { readPictureHeader } from '../ocr/picture/picture-header.ts';
import { extractTiffPage, readTiffPages } from '../ocr/picture/tiff.ts';
import { damagedFile } from '../parse-errors.ts';

/** Time kept for the steps after OCR. */
const RESERVE_MS = 500;

/** Markdown, or the error of the page. */
type PageResult = string | { error: unknown };

export const parseImage: FormatParser = async ({ bytes }, { deadline }, { ocr }) => {
  const unavailable = await ocr.unavailable();
  if (unavailable !== undefined) {
    throw new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', {
      message: `Reading pictures requires text recognition, which is not available on this server. ${unavailable}`,
    });
  }
  const header = readPictureHeader(bytes);
  if (!header) throw damagedFile('It is not a picture, or its size cannot be read.');
  const pages = header.format === 'tiff' ? readTiffPages(bytes) : [];
  const pictures = pages.length > 1 ? pages.map((page) => () => extractTiffPage(bytes, page)) : [() => bytes];
  const signal = AbortSignal.timeout(Math.max(0, deadline - systemClock.now() - RESERVE_MS));
  const results = await readAll(pictures, ocr, signal);
  return {
    ...summary(results, signal.aborted),
    metadata: { format: header.format, width: String(header.width), height: String(header.height) },
  };
};

/** One per core in parallel, because each picture is read by a single thread. */
async function readAll(pictures: (() => Uint8Array)[], ocr: Ocr, signal: AbortSignal): Promise<PageResult[]> {
  const results: PageResult[] = [];
  const waiting = pictures.entries();
  const work = async () => {
    for (const [at, picture] of waiting) {
      try {
        results[at] = ocrMarkdown(await ocr.read({ bytes: picture() }, signal));
      } catch (error) {
        results[at] = { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(pictures.length, availableParallelism()) }, work));
  return results;
}

function summary(results: PageResult[], isLate: boolean): Omit<ParsedFile, 'metadata'> {
  const texts = results.filter((result) => typeof result === 'string');
  const failed = results.flatMap((result, at) => (typeof result === 'string' ? [] : [{ page: at + 1, ...result }]));
  const isPaged = results.length > 1;
  if (failed.length > 0 && texts.length === 0 && !isLate) throw failed[0]!.error;
  const markdown = texts.filter((text) => text !== '').join('\n\n');
  const warnings: string[] = [];
  if (failed.length > 0) {
    const what = isPaged ? pagesOf(failed.map(({ page }) => page)) : 'The picture';
    warnings.push(
      isLate
        ? `${what} could not be read in time. Allow a longer \`timeout\`.`
        : `${what} could not be read because of damage or excessive size.`,
    );
  }
  if (texts.length > 0 && markdown === '') warnings.push('No text was found in the picture.');
  return {
    body: { markdown },
    warnings,
    ...(isPaged && { numPages: texts.length, totalPages: results.length }),
  };
}

/** `Page 4`, `Pages 4, 5 and 9 others`. */
function pagesOf(numbers: number[]): string {
  if (numbers.length === 1) return `Page ${numbers[0]}`;
  const shown = numbers.slice(0, 10).join(', ');
  return numbers.length > 10 ? `Pages ${shown} and ${numbers.length - 10} others` : `Pages ${shown}`;
}
