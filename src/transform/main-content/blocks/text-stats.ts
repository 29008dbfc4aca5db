// Text statistics: words in any script, and what distinguishes prose from labels. The kernel counts them in one pass.
import { createKernel, type Kernel } from '../../kernel/kernel.ts';

// The kinds of characters. characters.rs has the same numbers.
const SPACE = 0;
const LETTER = 1;
const UPPER = 2;
const DIGIT = 3;
const SENTENCE_END = 4;
const COMMA = 5;
const OTHER = 6;
const DENSE = 7;

/** A Chinese or Japanese character counts as this fraction of a word. */
export const DENSE_WORD = 1 / 1.7;

function asciiKind(code: number): number {
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return SPACE;
  if (/[a-z]/.test(character)) return LETTER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/\d/.test(character)) return DIGIT;
  if (/[.!?]/.test(character)) return SENTENCE_END;
  if (/[,;:]/.test(character)) return COMMA;
  return OTHER;
}

/** The kind of a UTF-16 unit. */
export function kindOf(code: number): number {
  if (code < 128) return asciiKind(code);
  if (code === 0xa0 || code === 0x3000) return SPACE;
  if (code === 0x3002 || code === 0xff01 || code === 0xff1f || code === 0x0964 || code === 0x06d4 || code === 0x061f)
    return SENTENCE_END;
  if (code === 0x3001 || code === 0xff0c || code === 0xff1b || code === 0xff1a || code === 0x060c) return COMMA;
  if (code >= 0x2000 && code <= 0x2bff) return code <= 0x200a ? SPACE : OTHER;
  if ((code >= 0x3040 && code <= 0x9fff) || (code >= 0x0e00 && code <= 0x0e7f) || (code >= 0xf900 && code <= 0xfaff))
    return DENSE;
  if (code >= 0x2e80 && code <= 0x303f) return OTHER;
  if (code >= 0xff00 && code <= 0xffef) return OTHER;
  if (code < 0xc0) return OTHER;
  return LETTER;
}

/** Sums over the text of one block. `hash` ignores white space, punctuation and ASCII case. */
export interface TextStats {
  words: number;
  letters: number;
  uppers: number;
  digits: number;
  sentenceEnds: number;
  commas: number;
  others: number;
  dense: number;
  hash: number;
  /** Kind of the last character that is not a space. */
  last: number;
}

export const endsSentence = (stats: TextStats): boolean => stats.last === SENTENCE_END;

/** Reads the texts of one block after another. */
export interface StatsReader {
  /** Begins with a new block. */
  start(): void;
  /** Adds a text and returns its number of words. A word may continue in the next text. */
  add(text: string): number;
  /** What follows begins a new word. */
  breakWord(): void;
  /** The sums over the texts since the start. */
  stats(): TextStats;
}

/** Longer texts are read in pieces. */
const PIECE = 16_384;
// In the order of `TextStats` in characters.rs: a number of eight bytes, and ten of four.
const STATS_BYTES = 48;
const FIELDS = 9;

export function createStatsReader(kernel: Kernel = createKernel()): StatsReader {
  const { startStats, breakWord, addText } = kernel.calls;
  const kinds = kernel.place(Uint8Array.from({ length: 65_536 }, (_, code) => kindOf(code)));
  const at = kernel.reserve(STATS_BYTES);
  const textAt = kernel.reserve(2 * PIECE);
  const total = kernel.view(Float64Array, at, 1);
  const fields = kernel.view(Int32Array, at + total.byteLength, FIELDS);
  const codes = kernel.view(Uint8Array, textAt, 2 * PIECE);
  const buffer = Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength);

  return {
    start: () => startStats(at),
    breakWord: () => breakWord(at),
    add(text) {
      const before = total[0]!;
      for (let start = 0; start < text.length; start += PIECE) {
        const piece = text.length <= PIECE ? text : text.slice(start, start + PIECE);
        const length = buffer.write(piece, 'utf16le') >> 1;
        addText(at, kinds, DENSE_WORD, textAt, length);
      }
      return total[0]! - before;
    },
    stats: () => ({
      words: total[0]!,
      letters: fields[0]!,
      uppers: fields[1]!,
      digits: fields[2]!,
      sentenceEnds: fields[3]!,
      commas: fields[4]!,
      others: fields[5]!,
      dense: fields[6]!,
      hash: fields[7]!,
      last: fields[8]!,
    }),
  };
}
