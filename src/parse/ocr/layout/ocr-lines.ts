// Recognised lines, rotated upright and measured, without specks and drawings.
import type { OcrPage, OcrWord, PixelBox } from '../engine/hocr.ts';
import { isListMarker } from './list-marker.ts';

/** Its box is in coordinates where the text is upright. */
export interface TextWord extends OcrWord {
  /** The box in the original picture. */
  originalBox: PixelBox;
}

export interface TextLine {
  words: TextWord[];
  /** In upright coordinates too. */
  box: PixelBox;
  /** From descender to ascender of this font size, in pixels. */
  height: number;
  /** Index of its paragraph in the OCR report. */
  paragraph: number;
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const ASCENDERS = /[\p{Lu}\p{N}bdfhijkltßäöüéèáàíóúñ!?/()[\]{}|]/u;
const DESCENDERS = /[gjpqyQ,;()[\]{}|ç]/;
const CASED_SCRIPTS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{S}]+$/u;
// Share of the full letter height for words without descenders, without ascenders, and without either.
const SHARE_WITHOUT_DESCENDER = 0.77;
const SHARE_WITHOUT_ASCENDER = 0.76;
const X_HEIGHT_SHARE = 0.54;
/** Symbols below this are specks, except at the start of a line: bullets always have low confidence. */
const MIN_SYMBOL_CONFIDENCE = 0.2;

export function uprightLines(page: OcrPage): TextLine[] {
  let before = 0;
  return page.paragraphs.flatMap((lines, paragraph) =>
    lines.flatMap(({ words, rotation = directionOf(words) ?? before }) => {
      before = rotation;
      const isText = ({ text, confidence }: OcrWord, at: number) =>
        confidence >= MIN_SYMBOL_CONFIDENCE || LETTER_OR_DIGIT.test(text) || (at === 0 && isListMarker(text));
      const kept = words.filter(isText);
      if (!kept.some(({ text }) => LETTER_OR_DIGIT.test(text))) return [];
      const upright = kept.map((word) => ({
        ...word,
        originalBox: word.box,
        box: rotateBack(word.box, rotation, page),
      }));
      return [
        {
          words: upright,
          box: boundingBox(upright.map(({ box }) => box)),
          height: median(upright.map(letterHeight)),
          paragraph,
        },
      ];
    }),
  );
}

/** From the first word to the last; undefined for a single word. */
function directionOf(words: readonly OcrWord[]): number | undefined {
  const [first, last] = [words[0]?.box, words.at(-1)?.box];
  if (!first || !last || words.length < 2) return undefined;
  const [right, down] = [last[0] + last[2] - first[0] - first[2], last[1] + last[3] - first[1] - first[3]];
  if (Math.abs(down) < Math.abs(right)) return 0;
  return down > 0 ? 90 : 270;
}

export function boundingBox(boxes: readonly PixelBox[]): PixelBox {
  const box: PixelBox = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  for (const [left, top, right, bottom] of boxes) {
    box[0] = Math.min(box[0], left);
    box[1] = Math.min(box[1], top);
    box[2] = Math.max(box[2], right);
    box[3] = Math.max(box[3], bottom);
  }
  return box;
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function rotateBack([left, top, right, bottom]: PixelBox, rotation: number, { width, height }: OcrPage): PixelBox {
  if (rotation === 90) return [top, width - right, bottom, width - left];
  if (rotation === 180) return [width - right, height - bottom, width - left, height - top];
  if (rotation === 270) return [height - bottom, left, height - top, right];
  return [left, top, right, bottom];
}

/** From the word's own box, because the box of a whole line grows when a scan is skewed. */
function letterHeight({ text, box }: OcrWord): number {
  const height = box[3] - box[1];
  if (!CASED_SCRIPTS.test(text)) return height;
  const [hasAscender, hasDescender] = [ASCENDERS.test(text), DESCENDERS.test(text)];
  if (hasAscender && hasDescender) return height;
  if (hasAscender) return height / SHARE_WITHOUT_DESCENDER;
  return height / (hasDescender ? SHARE_WITHOUT_ASCENDER : X_HEIGHT_SHARE);
}
