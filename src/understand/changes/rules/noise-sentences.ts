// Tells whether the sentences of a line that have changed are noise: numbers that move by themselves, because they count what
// visitors do, what happened in the last hour, or how many share an opinion.
import { diffArrays } from 'diff';
import { readPrices } from '../../../text/prices/prices.ts';
import { foldText } from './fold-text.ts';
import type { KeyedLine } from './lines/match-lines.ts';
import { maskVolatile } from './mask-volatile.ts';
import { noiseWords } from './noise-words.ts';
import type { Goal } from './read-goal.ts';

export interface ChangedSpan {
  old: string[];
  now: string[];
  /** Where it begins in the new text, in words. */
  at: number;
}

const MAX_WORDS = 2_000;
/** Longer sentences say something; they do not only count. */
const MAX_SENTENCE = 200;
const MAX_SENTENCES = 50;
const SENTENCE_END = /(?<=[\p{L}\p{N}%)])[.!?;]+\s+|\s*[·•]\s*|\s\|\s/u;
const TABLE_ROW = /^\s*\|/;

export function changedSpans(before: string, after: string): ChangedSpan[] {
  const [old, now] = [before.split(' '), after.split(' ')];
  if (old.length + now.length > MAX_WORDS) return [];
  const spans: ChangedSpan[] = [];
  let open: ChangedSpan | undefined;
  let at = 0;
  for (const { added, removed, value } of diffArrays(old, now)) {
    if (!added && !removed) {
      open = undefined;
      at += value.length;
      continue;
    }
    if (!open) {
      open = { old: [], now: [], at };
      spans.push(open);
    }
    (removed ? open.old : open.now).push(...value);
    if (added) at += value.length;
  }
  return spans;
}

export function areNoiseSentences(before: KeyedLine, after: KeyedLine, goal: Goal): boolean {
  if (before.targets !== after.targets || TABLE_ROW.test(after.source)) return false;
  const [old, now] = [before.text.split(SENTENCE_END), after.text.split(SENTENCE_END)];
  if (old.length !== now.length || now.length > MAX_SENTENCES) return false;
  return old.every((text, at) => isNoiseSentence(text, now[at]!, after, goal));
}

function isNoiseSentence(before: string, after: string, line: KeyedLine, goal: Goal): boolean {
  const fold = (text: string): string => foldText(maskVolatile(text, { label: '', goal }));
  if (fold(before) === fold(after)) return true;
  if ([before, after].some((text) => text.length > MAX_SENTENCE)) return false;
  const { onlyActivity, prompt, window } = noiseWords();
  if ([before, after].every((text) => onlyActivity.test(text) || prompt.test(text))) return true;
  const [old, now] = [before, after].map((text) => text.replace(window, ' ').replace(MILLIONS, '$1$200000'));
  const spans = changedSpans(foldText(old!), foldText(now!));
  if (isShareOfOpinions(spans, after) || isDrift(spans, after)) return true;
  return isLiveCount(spans, old!, now!, line, { hasWindow: old !== before && now !== after });
}

const COUNT = /^(?:\d{1,3}(?:[.,]?\d{3})*|\d{1,3}[.,]\d{1,2}[km])$/;
/** "3.1 million" is written as one number. */
const MILLIONS = /(\d)[.,](\d{1,2}) (?:million|millionen|mio|millions|millones)(?!\p{L})/giu;
const YEAR = /^(?:19|20)\d\d$/;
const isCount = (word: string): boolean => COUNT.test(word) && !YEAR.test(word);
/** How far from a number stands what it counts, in words. */
const [BEFORE, AFTER] = [3, 4];
/** Nobody watches a page for what it says about itself. */
const ABOUT_ITSELF = /(?:of|on) this page|dieser seite|de cette page|de esta página/i;
const OF = /^(?:by|of|from|von|par|por)$/;
/** A program counts thousands; smaller numbers may be written by hand. */
const MANY = 100;

function isLiveCount(
  spans: readonly ChangedSpan[],
  before: string,
  after: string,
  { title }: KeyedLine,
  { hasWindow }: { hasWindow: boolean },
): boolean {
  const { capacity, limit } = noiseWords();
  const areCounts = spans.every(({ old, now }) => old.length === now.length && [...old, ...now].every(isCountOrNoun));
  if (!areCounts || readPrices(after).length > 0) return false;
  if ([before, after].some((text) => capacity.test(text) || limit.test(text))) return false;
  const words = foldText(after).split(' ');
  const isMany = spans.every(({ now }) => now.every((word) => Number(word.replace(/[.,]/g, '')) >= MANY));
  // What the page is about is not a statistic of its site.
  if (hasWindow && isMany && spans.length > 0 && !sharesWord(title, after)) return true;
  return spans.length === 0
    ? hasWindow && countsPeople(words, 0, after)
    : spans.every(({ at }) => countsPeople(words, at, after));
}

/** "1 member", "3 members". */
const isCountOrNoun = (word: string): boolean =>
  isCount(word) || noiseWords().activity.test(word) || noiseWords().people.test(word);

/** "12 guests online", "signed by 34 people"; not "the board has 12 members". */
function countsPeople(words: readonly string[], at: number, sentence: string): boolean {
  const { activity, activitySign, done, people } = noiseWords();
  const [last = '', next] = [words[at - 1], words.slice(at, at + AFTER + 1).join(' ')];
  const near = `${words.slice(Math.max(0, at - BEFORE), at).join(' ')} ${next}`;
  if (activity.test(near) || done.test(next) || ABOUT_ITSELF.test(sentence)) return true;
  if (done.test(near) && (OF.test(last) || sentence.toLowerCase().includes(`${last}:`))) return true;
  return people.test(near) && activitySign.test(sentence);
}

export const sharesWord = (title: string, sentence: string): boolean => {
  const known = new Set(
    foldText(title)
      .split(' ')
      .filter((word) => word.length > 4),
  );
  return foldText(sentence)
    .split(' ')
    .some((word) => known.has(word));
};

/** An opinion of many moves by a few percent as answers come in. */
const MAX_SHARE_MOVE = 3;

function isShareOfOpinions(spans: readonly ChangedSpan[], sentence: string): boolean {
  if (spans.length === 0 || !noiseWords().opinion.test(sentence) || !sentence.includes('%')) return false;
  return spans.every(({ old, now }) => {
    const [was, is] = [old, now].map((words) =>
      words.length === 1 ? Number(words[0]!.replace(/%$/, '')) : Number.NaN,
    );
    return Math.abs(was! - is!) <= MAX_SHARE_MOVE;
  });
}

/** An average of many votes moves by a tenth or two as votes come in. */
const MAX_DRIFT = 0.25;
const RATING =
  /(?:stars?|sterne|étoiles|estrellas|\/ ?(?:5|10)|(?:out of|von|sur|de|su) (?:5|10)|ratings?|rated|bewertung(?:en)?|score|reviews?|avis|opiniones|★)(?![\p{L}])/iu;
const UNIT = /\d ?(?:[kMG]?(?:W|V|A|Wh|Hz|B)|hp|PS|[kcm]?m|m?l|k?g|kn|bar|%|°)(?![\p{L}])/u;

export function isDrift(spans: readonly ChangedSpan[], text: string): boolean {
  if (spans.length === 0 || !RATING.test(text) || UNIT.test(text)) return false;
  return spans.every(({ old, now }) => {
    if (old.length !== 1 || now.length !== 1) return false;
    const [was, is] = [old[0]!, now[0]!].map((word) => Number(word.replace(',', '.').replace(/[^\d.].*$/, '')));
    return /^\d/.test(old[0]!) && /^\d/.test(now[0]!) && was! <= 10 && is! <= 10 && Math.abs(was! - is!) <= MAX_DRIFT;
  });
}
