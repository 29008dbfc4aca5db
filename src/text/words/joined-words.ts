// Words that some write in one and others in two: `real-time` is also counted as `realtime`, `node.js` as `nodejs`, and a
// query for `real time` looks for `realtime`, too.
import { normalForm } from './tokenizer.ts';

/** The word of these two parts of a text, in lower case; undefined if what is between them separates words. */
export type JoinFinder = (start: number, end: number) => string | undefined;

const DOT = 0x2e;
const UNDERSCORE = 0x5f;
const HYPHENS = [0x2d, 0x2010, 0x2011];
const MAX_LENGTH = 32;
const SHORTEST_IN_COMPOUND = 4;
const LETTER_AT_END = /\p{L}$/u;
const HUMPED = /(?<![\p{L}\p{N}])\p{Ll}{3,}(?:\p{Lu}\p{Ll}{2,})+(?![\p{L}\p{N}])/gu;
/** What follows the dot in names of techniques: `node.js`, `socket.io`. Longer words begin a sentence. */
const AFTER_DOT = /^[a-z]{1,3}$/i;

/** Call the finder with each word of a text in order. */
export function createJoinFinder(text: string): JoinFinder {
  let lastStart = 0;
  let lastEnd = -2;
  return (start, end) => {
    const from = lastStart;
    const isNear = start === lastEnd + 1;
    lastStart = start;
    lastEnd = end;
    return isNear && isJoiner(text.charCodeAt(start - 1)) ? joinedWord(text, from, start, end) : undefined;
  };
}

const isJoiner = (code: number): boolean =>
  code === HYPHENS[0] || code === DOT || code === UNDERSCORE || code === HYPHENS[1] || code === HYPHENS[2];

/** Numbers stay apart: dates, ranges, versions. */
function joinedWord(text: string, from: number, start: number, end: number): string | undefined {
  const left = text.slice(from, start - 1);
  const right = text.slice(start, end);
  if (left.length + right.length > MAX_LENGTH || !LETTER_AT_END.test(left)) return undefined;
  if (text.charCodeAt(start - 1) === DOT && !AFTER_DOT.test(right)) return undefined;
  return normalForm(left + right);
}

/** What two words of a query may be together: `realtime`, or with the s that German, Dutch and Swedish put between them. */
export function joinedPair(left: string, right: string): string[] {
  if (left.length + right.length >= MAX_LENGTH || !LETTER_AT_END.test(left)) return [];
  const isLong = left.length >= SHORTEST_IN_COMPOUND && right.length >= SHORTEST_IN_COMPOUND;
  return [left + right, ...(isLong ? [`${left}s${right}`] : [])];
}

/** `camelCase` as `camel Case`. Names that begin with a capital (`JavaScript`) are one word. */
export const withoutHumps = (text: string): string =>
  text.replace(HUMPED, (word) => word.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
