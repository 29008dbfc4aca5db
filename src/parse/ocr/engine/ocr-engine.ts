// Port: an OCR engine, either the installed tesseract or the bundled one.
import type { OcrPage } from './hocr.ts';

export interface OcrRequest {
  /** In a format that the engine decodes itself. */
  bytes: Uint8Array;
  dpi?: number;
  /** Languages to recognise; earlier ones have priority. */
  languages: readonly string[];
  /** page: upright text; rotated: text in any direction; sparse: scattered words. */
  layout: 'page' | 'rotated' | 'sparse';
}

export interface PageScript {
  /** Tesseract's name: Latin, Cyrillic, Han, ... */
  script: string;
  /** Whether the text is not upright. */
  isRotated: boolean;
}

export interface OcrEngine {
  /** Throws DOCUMENT_DAMAGED if it cannot decode the picture, DOCUMENT_TOO_COMPLEX if it ran out of memory. */
  read(request: OcrRequest, signal: AbortSignal): Promise<OcrPage>;
  /** Undefined if there is too little text, or if the engine cannot detect scripts. */
  detectScript(bytes: Uint8Array, signal: AbortSignal): Promise<PageScript | undefined>;
}
