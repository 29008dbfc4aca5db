// Port: a tesseract, of the machine or of our own.
import type { ReadPage } from './hocr.ts';

export interface Reading {
  /** In a format that it decodes itself. */
  bytes: Uint8Array;
  dpi?: number;
  /** Those that it may use; the first ones count most. */
  languages: readonly string[];
  /** page: text in the direction in which it is expected; turned: in any direction; sparse: words here and there. */
  layout: 'page' | 'turned' | 'sparse';
}

export interface Looks {
  /** As tesseract calls it: Latin, Cyrillic, Han, ... */
  script: string;
  /** Whether the text does not stand upright. */
  isTurned: boolean;
}

export interface OcrEngine {
  /** Throws DOCUMENT_DAMAGED where it cannot decode the picture, DOCUMENT_TOO_COMPLEX where it could not end. */
  read(reading: Reading, signal: AbortSignal): Promise<ReadPage>;
  /** Undefined where too little text is there to say, or nothing to say it with. */
  look(bytes: Uint8Array, signal: AbortSignal): Promise<Looks | undefined>;
}
