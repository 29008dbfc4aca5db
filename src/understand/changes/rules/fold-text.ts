// What of a text is compared: its words and numbers.
import { MARK } from './mark.ts';

/** Without formatting and case. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‐-―−]/g, '-')
    // A comma between digits is part of the number.
    .replace(/(?<=\d),(?=\d)/g, '\u0001')
    .replace(new RegExp(`[^\\p{L}\\p{M}\\p{N}\\p{Sc}%${MARK}+./:★\u0001-]+`, 'gu'), ' ')
    .replace(/[./:-]+(?= |$)|(?<= |^)[./:]+/g, '')
    .replaceAll('\u0001', ',')
    .replace(/ {2,}/g, ' ')
    .trim();
