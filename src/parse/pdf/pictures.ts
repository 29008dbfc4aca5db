// Which pages are pictures of text, so that only OCR can read them.
import { type PageSigns, readSigns } from './liteparse.ts';
import { lettersOf, type PageReading } from './parts.ts';

// A full page has two thousand letters; a scan may carry a stamp or a line of its archive.
const FEW_LETTERS = 250;
const HARDLY_ANY = 30;
const GARBLED = 0.15;

export async function picturesOfText(bytes: Uint8Array, pages: readonly PageReading[]): Promise<PageReading[]> {
  const suspects = pages.filter((page) => page.garbled > GARBLED || lettersOf(page.parts) < FEW_LETTERS);
  if (suspects.length === 0) return [];
  const numbers = suspects.map(({ pageNumber }) => pageNumber);
  const signs = new Map((await readSigns(bytes, numbers)).map((page) => [page.pageNumber, page]));
  return suspects.filter((page) => page.garbled > GARBLED || isPicture(page, signs.get(page.pageNumber)));
}

function isPicture(page: PageReading, signs: PageSigns | undefined): boolean {
  if (!signs) return false;
  if (signs.isGarbled || signs.isScan || signs.pictures > 0.5) return true;
  // A page with next to nothing on it is read where there is something to see.
  return lettersOf(page.parts) < HARDLY_ANY && (signs.pictures > 0.1 || signs.drawnText);
}
