// Reads hOCR, the report that tesseract writes: paragraphs, their lines, and words with their places and confidences.
import { decodeXML } from 'entities';

/** Left, top, right, bottom, in pixels of the picture. */
export type Box = [left: number, top: number, right: number, bottom: number];

export interface Word {
  text: string;
  box: Box;
  /** 0 to 1. */
  confidence: number;
}

export interface Line {
  words: Word[];
  /** By how much the text is turned against the picture, clockwise: 0, 90, 180 or 270. Not known of some upright columns of text. */
  turned: number | undefined;
}

export interface ReadPage {
  width: number;
  height: number;
  /** Paragraphs in reading order, each of lines. */
  paragraphs: Line[][];
}

const TAG = /<\w+ class='(\w+)'([^>]*)>([^<]*)/g;
/** What tesseract calls lines of several sorts. */
const LINES = new Set(['ocr_line', 'ocr_header', 'ocr_caption', 'ocr_textfloat']);

export function readHocr(hocr: string): ReadPage {
  const page: ReadPage = { width: 0, height: 0, paragraphs: [] };
  for (const [, sort = '', attributes = '', text = ''] of hocr.matchAll(TAG)) {
    const box = boxOf(attributes);
    if (sort === 'ocr_page') {
      [page.width, page.height] = [box[2], box[3]];
    } else if (sort === 'ocr_par') {
      page.paragraphs.push([]);
    } else if (LINES.has(sort)) {
      // The report counts the other way round, and gives a baseline to what is not turned.
      const angle = figure(attributes, 'textangle') ?? (attributes.includes('baseline ') ? 0 : undefined);
      const turned = angle === undefined ? undefined : (360 - angle) % 360;
      page.paragraphs.at(-1)?.push({ words: [], turned });
    } else if (sort === 'ocrx_word' && text.trim() !== '') {
      const confidence = (figure(attributes, 'x_wconf') ?? 0) / 100;
      page.paragraphs
        .at(-1)
        ?.at(-1)
        ?.words.push({ text: decodeXML(text.trim()), box, confidence });
    }
  }
  return page;
}

function boxOf(attributes: string): Box {
  const numbers = /bbox (\d+) (\d+) (\d+) (\d+)/.exec(attributes)?.slice(1).map(Number) ?? [0, 0, 0, 0];
  return numbers as Box;
}

function figure(attributes: string, name: string): number | undefined {
  const written = new RegExp(`${name} (-?[\\d.]+)`).exec(attributes)?.[1];
  return written === undefined ? undefined : Number(written);
}
