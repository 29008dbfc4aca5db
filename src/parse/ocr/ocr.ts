// Port: reads the text in a picture.
import type { BlockBox } from '../../contracts/parsed.ts';

export interface Picture {
  /** PNG, JPEG, TIFF, WebP, BMP, GIF, JPEG 2000, or AVIF where ffmpeg is there. Of several pages or frames the first is read. */
  bytes: Uint8Array;
  /** Where it is known. Small pictures of unknown density are taken for pictures of a screen. */
  dpi?: number;
}

/** A paragraph, heading or the like as it stands in the picture. */
export interface OcrBlock {
  /** Lines that run on are joined; a line break in it is meant. What an item of a list begins with is `•` or a number. */
  text: string;
  /** The cells, where it is a table. */
  rows?: string[][];
  /** Of the letters, in pixels. */
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
  /** 0 to 1, over all words. */
  confidence: number;
}

export interface Ocr {
  /** Undefined while it can be used; else one sentence why not. */
  unavailable(): string | undefined;
  /** Throws DOCUMENT_TOO_COMPLEX for more pixels than it reads, DOCUMENT_DAMAGED for what is no picture. */
  read(picture: Picture, signal: AbortSignal): Promise<OcrText>;
}
