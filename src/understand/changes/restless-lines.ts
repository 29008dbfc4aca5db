// Lines of a page that are others at every look: a counter, a clock, a token, or one of a few texts in turn. What has moved at
// several looks one after the other no longer counts as a change, whatever its words are. It is learnt from the page itself.
import { readPrices } from '../../text/prices/prices.ts';
import { sha256 } from '../../util/hash.ts';
import type { MovingLine } from './compared-text.ts';
import type { LineEdit } from './diff-lines.ts';
import { pairLines } from './pair-lines.ts';
import { foldText } from './rules/fold-text.ts';
import { maskVolatile } from './rules/mask-volatile.ts';
import { changedSpans, sharesWord } from './rules/noise-sentences.ts';
import { noiseWords } from './rules/noise-words.ts';
import { type Goal, wants } from './rules/read-goal.ts';
import { VERSION } from './rules/version.ts';

interface Versions {
  before: readonly string[];
  after: readonly string[];
  edits: readonly LineEdit[];
}

export interface FollowedMoves {
  /** In the version after. */
  moving: MovingLine[];
  /** Lines that no longer count, by their numbers before and after. */
  restless: [before: number, after: number][];
}

/** What has moved so often does so by itself. */
const ENOUGH = 3;
const MAX_EARLIER = 8;
/** A page of which more lines have changed was edited, or is another one. */
const MAX_CHANGED = 200;
/** Longer ones are prose. */
const MAX_LENGTH = 1_000;

export function followMoves(
  known: readonly MovingLine[],
  { before, after, edits }: Versions,
  goal: Goal,
): FollowedMoves {
  const found: FollowedMoves = { moving: [], restless: [] };
  const { kept, changed } = pairLines(before, after, edits);
  if (changed.length > MAX_CHANGED) return found;
  const byLine = new Map(known.map((line) => [line.at, line]));
  // What has come to rest before it was known begins anew.
  for (const [old, now, length] of kept)
    for (const line of known)
      if (line.times >= ENOUGH && line.at >= old && line.at < old + length)
        found.moving.push({ ...line, at: now + line.at - old });
  const page: WatchedText = { title: after.find((line) => HEADING.test(line)) ?? '', goal };
  for (const [old, now] of changed) {
    const line = byLine.get(old);
    const label = labelAbove(after, now, page);
    const move = moveOf({ was: before[old]!, is: after[now]!, label }, line, page);
    if (!move) continue;
    if (line && line.times >= ENOUGH && (move.isSmall || line.isRotating)) found.restless.push([old, now]);
    found.moving.push({ at: now, ...move.line });
  }
  return found;
}

/** A sentence above a line is no label of it. */
const MAX_LABEL = 80;
const SENTENCE = /[.!?]$/;
const HEADING = /^ {0,3}#{1,6}\s/;
const TABLE_ROW = /^\s*\|/;

interface WatchedText {
  title: string;
  goal: Goal;
}

interface Pair {
  was: string;
  is: string;
  label: string;
}

/** Undefined if the line is none of those that move by themselves. */
function moveOf(
  { was, is, label }: Pair,
  known: MovingLine | undefined,
  page: WatchedText,
): { isSmall: boolean; line: Omit<MovingLine, 'at'> } | undefined {
  if ([was, is].some((line) => line.length > MAX_LENGTH || HEADING.test(line) || TABLE_ROW.test(line)))
    return undefined;
  if (matters(`${label} ${is}`, page) || matters(was, page)) return undefined;
  const [old, now] = [was, is].map((line) => foldText(maskVolatile(line, { label, goal: page.goal })));
  const texts = [...(known?.earlier ?? []), hashOfText(old!)];
  return {
    isSmall: isSmallMove(old!, now!),
    line: {
      times: Math.min((known?.times ?? 0) + 1, ENOUGH),
      earlier: texts.slice(-MAX_EARLIER),
      ...((known?.isRotating || texts.includes(hashOfText(now!))) && { isRotating: true as const }),
    },
  };
}

const hashOfText = (text: string): number => Number.parseInt(sha256(text).slice(0, 8), 16);

function labelAbove(lines: readonly string[], at: number, { title }: WatchedText): string {
  const label = lines.slice(0, at).findLast((line) => line.trim() !== '') ?? '';
  return label === title || label.length > MAX_LABEL || SENTENCE.test(label) ? '' : label;
}

/** What somebody may watch the page for. */
function matters(text: string, { title, goal }: WatchedText): boolean {
  const { availability, capacity, limit } = noiseWords();
  return (
    readPrices(text).length > 0 ||
    [availability, capacity, limit, VERSION].some((pattern) => pattern.test(text)) ||
    sharesWord(title, text) ||
    wants(goal, ...text.split(/[^\p{L}]+/u))
  );
}

const NUMBER = /^[+-]?\d{1,3}(?:[.,]?\d{3})*(?:[.,]\d{1,2})?%?$/;
const TOKEN = /^(?=.*\d)(?=.*\p{L})[\p{L}\d_-]{4,}$/u;

/** Only times, tokens and numbers are others. */
function isSmallMove(was: string, is: string): boolean {
  const [old, now] = [was, is].map((text) => text.replace(noiseWords().dateTime, '0'));
  return changedSpans(old!, now!).every(
    (span) => span.old.length === span.now.length && span.old.every((word, at) => isMove(word, span.now[at]!)),
  );
}

function isMove(was: string, is: string): boolean {
  if (TOKEN.test(was) && TOKEN.test(is)) return true;
  // The next issue, episode or week has the next number.
  return NUMBER.test(was) && NUMBER.test(is) && numberOf(is) - numberOf(was) !== 1;
}

const numberOf = (word: string): number => Number(word.replace(/[.,%]/g, ''));
