// The pdf.js engine, the last resort for files that the others cannot open: it repairs broken cross-reference tables.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { countLetters, type PagePart, type PageReading } from '../page-parts.ts';
import { repairText } from '../repair-text.ts';

export interface PdfjsPages {
  pages: PageReading[];
  totalPages: number;
}

export async function readWithPdfjs(bytes: Uint8Array, lastPage: number, isLate: () => boolean): Promise<PdfjsPages> {
  // Loaded on demand: it is large, and few files need it.
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    disableFontFace: true,
    useSystemFonts: false,
  });
  try {
    const pdf = await task.promise;
    const pages: PageReading[] = [];
    for (let pageNumber = 1; pageNumber <= Math.min(lastPage, pdf.numPages) && !isLate(); pageNumber++) {
      const page = await pdf.getPage(pageNumber);
      const { width, height } = page.getViewport({ scale: 1 });
      const { items } = await page.getTextContent();
      const parts = partsOf(items.map((item) => ('str' in item ? item : { str: '', hasEOL: false })));
      const status = parts.length > 0 ? 'ok' : 'partial';
      pages.push({ pageNumber, width, height, parts, scope: '', source: 'text', bodySize: 0, garbled: 0, status });
      page.cleanup();
    }
    return { pages, totalPages: pdf.numPages };
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'PasswordException') {
      throw new ServiceError('DOCUMENT_ENCRYPTED', { cause });
    }
    throw cause;
  } finally {
    await task.destroy();
  }
}

/** Joins lines until one is empty or ends a sentence. */
function partsOf(items: readonly { str: string; hasEOL: boolean }[]): PagePart[] {
  const parts: PagePart[] = [];
  let [line, paragraph] = ['', ''];
  const end = () => {
    const text = repairText(paragraph);
    if (countLetters(text) > 0) parts.push({ kind: 'text', text, level: 0, bold: false, italic: false, size: 0 });
    paragraph = '';
  };
  for (const { str, hasEOL } of items) {
    line += str;
    if (!hasEOL) continue;
    paragraph = join(paragraph, line.trim());
    if (line.trim() === '' || /[.!?:]\s*$/.test(line)) end();
    line = '';
  }
  paragraph = join(paragraph, line.trim());
  end();
  return parts;
}

function join(before: string, line: string): string {
  if (before === '' || line === '') return before + line;
  return /\p{L}-$/u.test(before) && /^\p{Ll}/u.test(line) ? before.slice(0, -1) + line : `${before} ${line}`;
}
