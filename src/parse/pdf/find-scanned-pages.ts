// Finds the pages that are pictures of text and need OCR.
import { lettersIn, type PageReading, type ScanSigns } from './page-parts.ts';
import { drawPage } from './readers/liteparse.ts';

// A full page has about two thousand letters; a scan may carry an embedded stamp or archive line.
const FEW_LETTERS = 250;
const VERY_FEW_LETTERS = 30;
// Text drawn as vector lines leaves no other trace, so any page below this that is not blank gets OCR.
const ALMOST_NO_LETTERS = 10;
const PREVIEW_DPI = 36;
const GARBLED = 0.15;

export async function findScannedPages(bytes: Uint8Array, pages: readonly PageReading[]): Promise<PageReading[]> {
  const pictures: PageReading[] = [];
  for (const page of pages) {
    const letters = lettersIn(page.parts);
    const isDrawn = letters < ALMOST_NO_LETTERS && (await isVisible(bytes, page));
    if (isDrawn || page.garbled > GARBLED || isScanned(letters, page.scanSigns)) pictures.push(page);
  }
  return pictures;
}

function isScanned(letters: number, signs: ScanSigns | undefined): boolean {
  if (!signs) return false;
  if (signs.isGarbled) return true;
  if (letters < FEW_LETTERS && (signs.isScan || signs.pictureShare > 0.5)) return true;
  return letters < VERY_FEW_LETTERS && (signs.pictureShare > 0.1 || signs.hasDrawnText);
}

async function isVisible(bytes: Uint8Array, page: PageReading): Promise<boolean> {
  // A page that cannot be rendered cannot be read by OCR either.
  const preview = await drawPage(bytes, page.pageNumber, page.width, page.height, PREVIEW_DPI).catch(() => undefined);
  return preview !== undefined && !preview.isBlank;
}
