// Port: recognises the text in a picture.
import type { BlockBox } from '../../page/parsed.ts';

export interface Picture {
  /** PNG, JPEG, TIFF, WebP, BMP, GIF, JPEG 2000, and AVIF if ffmpeg is installed. Only the first page or frame is read. */
  bytes: Uint8Array;
  /** If known. Small pictures of unknown resolution are treated as screenshots. */
  dpi?: number;
}

/** A paragraph, heading, list or table. */
export interface OcrBlock {
  /** Wrapped lines are joined; remaining line breaks are intended. List items start with `•` or a number. */
  text: string;
  /** The cells of a table. */
  rows?: string[][];
  /** Height of the letters in pixels. */
  lineHeight: number;
  bbox: BlockBox;
  /** 0 to 1. */
  confidence: number;
}

export interface OcrText {
  /** In reading order. */
  blocks: OcrBlock[];
  /** In pixels. */
  width: number;
  height: number;
  /** 0 to 1, averaged over all words. */
  confidence: number;
}

export interface Ocr {
  /** A sentence on why OCR cannot be used; undefined if it can. */
  unavailable(): Promise<string | undefined>;
  /** Throws DOCUMENT_TOO_COMPLEX if the picture has too many pixels, DOCUMENT_DAMAGED if it is not a picture. */
  read(picture: Picture, signal: AbortSignal): Promise<OcrText>;
}
