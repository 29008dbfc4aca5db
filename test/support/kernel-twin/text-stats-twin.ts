// Text statistics as the kernel has to count them, in TypeScript.
import {
  DENSE_WORD,
  kindOf,
  type StatsReader,
  type TextStats,
} from '../../../src/transform/main-content/blocks/text-stats.ts';

const SPACE = 0;
const LETTER = 1;
const UPPER = 2;
const DIGIT = 3;
const SENTENCE_END = 4;
const COMMA = 5;
const DENSE = 7;
const HASH_SEED = 0x811c9dc5 | 0;
const HASH_PRIME = 0x01000193;

interface OpenStats extends TextStats {
  /** Whether the last character is part of a word that may continue in the next text. */
  inWord: boolean;
}

const emptyStats = (): OpenStats => ({
  ...{ words: 0, letters: 0, uppers: 0, digits: 0, sentenceEnds: 0, commas: 0, others: 0, dense: 0 },
  ...{ hash: HASH_SEED, last: SPACE, inWord: false },
});

export function createStatsReaderTwin(): StatsReader {
  let stats = emptyStats();
  return {
    start() {
      stats = emptyStats();
    },
    add: (text) => addText(stats, text),
    breakWord() {
      stats.inWord = false;
    },
    stats() {
      const { inWord: _, ...rest } = stats;
      return rest;
    },
  };
}

function addText(stats: OpenStats, text: string): number {
  const before = stats.words;
  const { length } = text;
  let { words, hash, last, inWord } = stats;
  let [uppers, digits, dense, others, sentenceEnds, commas] = [0, 0, 0, 0, 0, 0];
  let letters = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind === SPACE) {
      inWord = false;
      continue;
    }
    last = kind;
    if (kind === LETTER) {
      letters += 1;
      if (!inWord) words += 1;
      inWord = true;
      hash = Math.imul(hash ^ code, HASH_PRIME);
    } else if (kind <= DIGIT) {
      if (!inWord) words += 1;
      inWord = true;
      if (kind === UPPER) uppers += 1;
      else digits += 1;
      hash = Math.imul(hash ^ (kind === UPPER ? code + 32 : code), HASH_PRIME);
    } else {
      inWord = false;
      if (kind === DENSE) {
        words += DENSE_WORD;
        dense += 1;
        hash = Math.imul(hash ^ code, HASH_PRIME);
      } else if (kind === SENTENCE_END) sentenceEnds += 1;
      else if (kind === COMMA) commas += 1;
      else others += 1;
    }
  }
  stats.words = words;
  stats.letters += letters;
  stats.uppers += uppers;
  stats.digits += digits;
  stats.sentenceEnds += sentenceEnds;
  stats.commas += commas;
  stats.others += others;
  stats.dense += dense;
  stats.hash = hash;
  stats.last = last;
  stats.inWord = inWord;
  return words - before;
}
