// Lines of recognised text, turned upright and measured, without what is only dirt or a drawing.
import type { Box, ReadPage, Word } from '../engine/hocr.ts';
import { isListSign } from './list-sign.ts';

/** Its box is upright, as if the picture had been turned so that the text can be read. */
export interface TextWord extends Word {
  /** The box in the picture as it is. */
  placed: Box;
}

export interface TextLine {
  words: TextWord[];
  /** Upright as well. */
  box: Box;
  /** From the lowest to the highest that letters of this size reach, in pixels. */
  height: number;
  /** Which paragraph of the report it is of. */
  paragraph: number;
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
const RISES = /[\p{Lu}\p{N}bdfhijkltßäöüéèáàíóúñ!?/()[\]{}|]/u;
const FALLS = /[gjpqyQ,;()[\]{}|ç]/;
const HAS_CASES = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{S}]+$/u;
// Of all that letters reach over, the part of those that do not rise, do not fall, or do neither.
const PART_THAT_DOES_NOT_FALL = 0.77;
const PART_THAT_DOES_NOT_RISE = 0.76;
const PART_OF_SMALL_ONES = 0.54;
/** Below it signs that are no letters are dirt, unless a line begins with them: no bullet is recognised with confidence. */
const DIRT = 0.2;

export function uprightLines(page: ReadPage): TextLine[] {
  let before = 0;
  return page.paragraphs.flatMap((lines, paragraph) =>
    lines.flatMap(({ words, turned = directionOf(words) ?? before }) => {
      before = turned;
      const isText = ({ text, confidence }: Word, at: number) =>
        confidence >= DIRT || SAYS_SOMETHING.test(text) || (at === 0 && isListSign(text));
      const kept = words.filter(isText);
      if (!kept.some(({ text }) => SAYS_SOMETHING.test(text))) return [];
      const upright = kept.map((word) => ({ ...word, placed: word.box, box: turnBack(word.box, turned, page) }));
      return [
        {
          words: upright,
          box: around(upright.map(({ box }) => box)),
          height: median(upright.map(letterHeight)),
          paragraph,
        },
      ];
    }),
  );
}

/** By the way from the first word to the last; a single one does not tell. */
function directionOf(words: readonly Word[]): number | undefined {
  const [first, last] = [words[0]?.box, words.at(-1)?.box];
  if (!first || !last || words.length < 2) return undefined;
  const [right, down] = [last[0] + last[2] - first[0] - first[2], last[1] + last[3] - first[1] - first[3]];
  if (Math.abs(down) < Math.abs(right)) return 0;
  return down > 0 ? 90 : 270;
}

/** The smallest box that holds all of these. */
export function around(boxes: readonly Box[]): Box {
  const box: Box = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
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

function turnBack([left, top, right, bottom]: Box, turned: number, { width, height }: ReadPage): Box {
  if (turned === 90) return [top, width - right, bottom, width - left];
  if (turned === 180) return [width - right, height - bottom, width - left, height - top];
  if (turned === 270) return [height - bottom, left, height - top, right];
  return [left, top, right, bottom];
}

/** From the word's own box: that of a whole line grows with every degree by which a scan is askew. */
function letterHeight({ text, box }: Word): number {
  const height = box[3] - box[1];
  if (!HAS_CASES.test(text)) return height;
  const [rises, falls] = [RISES.test(text), FALLS.test(text)];
  if (rises && falls) return height;
  if (rises) return height / PART_THAT_DOES_NOT_FALL;
  return height / (falls ? PART_THAT_DOES_NOT_RISE : PART_OF_SMALL_ONES);
}
