// Reads hOCR, tesseract's report: paragraphs, lines, and words with their boxes and confidences.
import { decodeXML } from 'entities';

/** Left, top, right, bottom in pixels. */
export type PixelBox = [left: number, top: number, right: number, bottom: number];

export interface OcrWord {
  text: string;
  box: PixelBox;
  /** 0 to 1. */
  confidence: number;
}

export interface OcrLine {
  words: OcrWord[];
  /** Clockwise rotation of the text: 0, 90, 180 or 270. Undefined for some vertical text. */
  rotation: number | undefined;
}

export interface OcrPage {
  width: number;
  height: number;
  /** Lines of each paragraph, in reading order. */
  paragraphs: OcrLine[][];
}

const TAG = /<\w+ class='(\w+)'([^>]*)>([^<]*)/g;
/** Tesseract's classes for different types of lines. */
const LINE_CLASSES = new Set(['ocr_line', 'ocr_header', 'ocr_caption', 'ocr_textfloat']);

export function readHocr(hocr: string): OcrPage {
  const page: OcrPage = { width: 0, height: 0, paragraphs: [] };
  for (const [, className = '', attributes = '', text = ''] of hocr.matchAll(TAG)) {
    const box = boxOf(attributes);
    if (className === 'ocr_page') {
      [page.width, page.height] = [box[2], box[3]];
    } else if (className === 'ocr_par') {
      page.paragraphs.push([]);
    } else if (LINE_CLASSES.has(className)) {
      // hOCR angles are counterclockwise; lines without one are upright if they have a baseline.
      const angle = numberOf(attributes, 'textangle') ?? (attributes.includes('baseline ') ? 0 : undefined);
      const rotation = angle === undefined ? undefined : (360 - angle) % 360;
      page.paragraphs.at(-1)?.push({ words: [], rotation });
    } else if (className === 'ocrx_word' && text.trim() !== '') {
      const confidence = (numberOf(attributes, 'x_wconf') ?? 0) / 100;
      page.paragraphs
        .at(-1)
        ?.at(-1)
        ?.words.push({ text: decodeXML(text.trim()), box, confidence });
    }
  }
  return page;
}

function boxOf(attributes: string): PixelBox {
  const numbers = /bbox (\d+) (\d+) (\d+) (\d+)/.exec(attributes)?.slice(1).map(Number) ?? [0, 0, 0, 0];
  return numbers as PixelBox;
}

function numberOf(attributes: string, name: string): number | undefined {
  const written = new RegExp(`${name} (-?[\\d.]+)`).exec(attributes)?.[1];
  return written === undefined ? undefined : Number(written);
}
