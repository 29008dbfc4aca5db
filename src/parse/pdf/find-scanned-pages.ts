// Which pages are pictures of text, so that only OCR can read them.

import { lettersOf, type PageReading, type PageSigns } from './page-parts.ts';
import { drawPage } from './readers/liteparse.ts';

// A full page has two thousand letters; a scan may carry a stamp or a line of its archive.
const FEW_LETTERS = 250;
const HARDLY_ANY = 30;
// Letters that are drawn as lines leave no other trace: whatever is to be seen on such a page is looked at.
const NEXT_TO_NONE = 10;
const SKETCH_DPI = 36;
const GARBLED = 0.15;

export async function picturesOfText(bytes: Uint8Array, pages: readonly PageReading[]): Promise<PageReading[]> {
  const pictures: PageReading[] = [];
  for (const page of pages) {
    const letters = lettersOf(page.parts);
    const isDrawn = letters < NEXT_TO_NONE && (await hasSomething(bytes, page));
    if (isDrawn || page.garbled > GARBLED || isPicture(letters, page.signs)) pictures.push(page);
  }
  return pictures;
}

function isPicture(letters: number, signs: PageSigns | undefined): boolean {
  if (!signs) return false;
  if (signs.isGarbled) return true;
  if (letters < FEW_LETTERS && (signs.isScan || signs.pictures > 0.5)) return true;
  return letters < HARDLY_ANY && (signs.pictures > 0.1 || signs.hasDrawnText);
}

async function hasSomething(bytes: Uint8Array, page: PageReading): Promise<boolean> {
  // What cannot be drawn cannot be read from its picture.
  const sketch = await drawPage(bytes, page.pageNumber, page.width, page.height, SKETCH_DPI).catch(() => undefined);
  return sketch !== undefined && !sketch.isBlank;
}
