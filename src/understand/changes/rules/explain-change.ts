// Decides whether a changed line of a page matters, and says why.

import { readDate } from '../../../text/dates/read-date.ts';
import { readPrices } from '../../../text/prices/prices.ts';
import type { ChangeExplanation, ReadTimes } from './judgment.ts';
import { isLanguageChoice } from './language-choice.ts';
import type { KeyedLine, LineChange } from './lines/match-lines.ts';
import { MARK } from './mark.ts';
import { areNoiseSentences, type ChangedSpan, changedSpans, isDrift } from './noise-sentences.ts';
import { noiseWords } from './noise-words.ts';
import { type Goal, ignores, wants } from './read-goal.ts';
import { VERSION } from './version.ts';

const noise = (reason: string, confidence: ChangeExplanation['confidence'] = 'high'): ChangeExplanation => ({
  isNoise: true,
  reason,
  confidence,
});
const real = (reason: string, confidence: ChangeExplanation['confidence'] = 'medium'): ChangeExplanation => ({
  isNoise: false,
  reason,
  confidence,
});

const ZONES = {
  advertisement: 'an advertisement',
  recommendation: 'a list of recommendations',
  rotating: 'a part of the page that rotates',
  ambient: 'a live reading such as the weather',
};

export function explainChange(change: LineChange, goal: Goal, readAt: ReadTimes | undefined): ChangeExplanation {
  const { before, after } = change;
  const line = (after ?? before)!;
  if (line.zone && (!before || !after || before.zone)) return noise(`It is in ${ZONES[line.zone]}.`);
  if (ignores(goal, `${line.heading} ${changedWords(change)}`)) return noise('The goal says to ignore it.', 'medium');
  if (change.isRenumbered) return real('The order of a numbered list has changed.');
  return before && after ? explainPair(before, after, goal, readAt) : explainLine(line, before ? 'removed' : 'added');
}

/** A line that is in one version only. */
function explainLine(line: KeyedLine, verb: 'added' | 'removed'): ChangeExplanation {
  const { onlyControl, prompt, onlyDateTime } = noiseWords();
  if (withoutMarks(line.key) === '') return noise('It only says when or how often the page was seen.');
  if (line.isAtEdge && onlyDateTime.test(line.text)) return noise('It is the date of the page.', 'medium');
  if (onlyControl.test(line.text.replace(/[\s:.…!›»→]+$/u, '')) || isLanguageChoice(line.text))
    return noise('It is a control of the page.');
  if (line.text.length < 200 && prompt.test(line.text))
    return noise('It is a notice of the site, such as one about cookies.');
  if (!/[\p{L}\p{N}]/u.test(line.text)) return noise('It is a picture or an ornament without a text.', 'medium');
  const kind = kindOf(line.text);
  return real(kind ? `${kind} was ${verb}.` : `Text was ${verb}.`, kind ? 'high' : 'medium');
}

function explainPair(
  before: KeyedLine,
  after: KeyedLine,
  goal: Goal,
  readAt: ReadTimes | undefined,
): ChangeExplanation {
  const [old, now] = [explainLine(before, 'removed'), explainLine(after, 'added')];
  if (old.isNoise && now.isNoise) return now;
  if (before.words === after.words) {
    if (RANDOM.test(after.text)) return noise('It leads to a random page.');
    return real('A link or a picture leads to another address.', 'low');
  }
  if (isReordered(before.text, after.text) || isReorderedLinks(before, after)) {
    return noise('The same items are in another order.');
  }
  if (PICTURE.test(before.source) && PICTURE.test(after.source))
    return noise('One picture was replaced by another.', 'low');
  const spans = changedSpans(before.key, after.key);
  if (before.cards && before.cards === after.cards && before.targets !== after.targets && isReplaced(before, spans))
    return noise('A link in a row of links was replaced by another.', 'low');
  if (isQuotation(before) && isQuotation(after) && isReplaced(before, spans))
    return noise('One quotation was replaced by another.', 'medium');
  if ([before, after].every(({ text }) => noiseWords().onlyCall.test(text)))
    return noise('It is a control of the page.', 'medium');
  if (pricesOf(before) !== pricesOf(after)) return real('A price has changed.', 'high');
  const isWanted = wants(goal, ...after.text.slice(0, MAX_READ).split(/[^\p{L}]+/u));
  if (!isWanted && (areNoiseSentences(before, after, goal) || isVote(before, after, spans))) {
    return noise('It counts what visitors do.', 'medium');
  }
  if (!isWanted && isDrift(spans, after.text)) return noise('An average has moved a little.', 'medium');
  if (isPageDate(before, after, readAt)) return noise('It is the date of the page.', 'medium');
  return real(pairReason(spans), spans.length > 0 ? 'high' : 'medium');
}

const withoutMarks = (key: string): string => {
  const rest = key
    .split(' ')
    .filter((word) => !word.startsWith(MARK))
    .join(' ')
    .replace(/^(?:by|on|at|in|the|and|·)$/, '');
  return noiseWords().stampLabel.test(rest) || !/[\p{L}\p{N}]/u.test(rest) ? '' : rest;
};

const SEPARATORS = /\s*[,;|·•/]\s*|\s(?:and|und|et|y|e|&)\s/;
function isReordered(before: string, after: string): boolean {
  const [old, now] = [before, after].map((text) =>
    text
      .replace(/^[^:]{1,40}:\s/, '')
      .split(SEPARATORS)
      .filter(Boolean)
      .sort(),
  );
  return (
    old!.length > 1 && old!.length === now!.length && old!.join('\n').toLowerCase() === now!.join('\n').toLowerCase()
  );
}

/** How much of a line is searched for words of the goal. */
const MAX_READ = 20_000;
const RANDOM = /^(?:random|zufällig|au hasard|page au hasard|aleatori[oa]|página aleatoria)(?!\p{L})/iu;
const PICTURE = /^\s*!\[[^\]]{0,200}\]\([^)\s]{1,2000}\)\s*$/;

function isReorderedLinks(before: KeyedLine, after: KeyedLine): boolean {
  const sorted = (text: string) => text.split(' ').sort().join(' ');
  if (!before.targets.includes(' ') || sorted(before.targets) !== sorted(after.targets)) return false;
  return sorted(before.words) === sorted(after.words);
}

/** Shares that make up a whole, before and now. */
function isVote(before: KeyedLine, after: KeyedLine, spans: readonly ChangedSpan[]): boolean {
  const isShare = (word: string): boolean => /^\d{1,3}(?:[.,]\d{1,2})?$|^%$/.test(word.replace(/%$/, ''));
  const areShares = spans.length > 1 && spans.every(({ old, now }) => [...old, ...now].every(isShare));
  return areShares && [before, after].every(({ text }) => isWhole(text));
}

function isWhole(text: string): boolean {
  const shares = [...text.matchAll(/(\d{1,3}(?:[.,]\d{1,2})?) ?%/g)].map(([, share]) =>
    Number(share!.replace(',', '.')),
  );
  return shares.length > 1 && Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) <= 1;
}

/** What somebody said, and who: such parts of a page rotate. */
const QUOTATION = /^(?:>\s*)?["“„«‘'].{10,400}["”“»’'][\s,.–—-]*\p{Lu}[\p{L}'.-]+(?: \p{Lu}|,)/u;
const WHOLE_QUOTATION = /^["“„«].{20,400}["”“»]$/u;
const isQuotation = ({ source, text, label }: KeyedLine): boolean =>
  QUOTATION.test(text) ||
  WHOLE_QUOTATION.test(text) ||
  // Who said it.
  (text.length < 60 && WHOLE_QUOTATION.test(label)) ||
  (/^\s*>/.test(source) && text.length < 400);

/** Most of its words are others. Somebody who edits a sentence leaves most of them. */
const isReplaced = ({ key }: KeyedLine, spans: readonly ChangedSpan[]): boolean =>
  spans.reduce((sum, { old }) => sum + old.length, 0) * 2 >= key.split(' ').length;

const DAY_AND_A_HALF = 129_600_000;
const NUMERIC_DATE = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/;

/** 02/03 is a day of February or of March. */
function readings(text: string, at: number): number[] {
  const [, one, two, year] = NUMERIC_DATE.exec(text) ?? [];
  if (one === undefined) return [readDate(text, at) ?? Number.NaN];
  return [Date.UTC(Number(year), Number(one) - 1, Number(two)), Date.UTC(Number(year), Number(two) - 1, Number(one))];
}

/** A date that was the day on which the page was read, both times; or a date alone at the top or the bottom of the page. */
function isPageDate(before: KeyedLine, after: KeyedLine, readAt: ReadTimes | undefined): boolean {
  const { date, dateTime, onlyDateTime } = noiseWords();
  if (
    before.key.replace(dateTime, '') !== after.key.replace(dateTime, '') &&
    before.text.replace(dateTime, '') !== after.text.replace(dateTime, '')
  ) {
    return false;
  }
  if (before.isAtEdge && after.isAtEdge && onlyDateTime.test(before.text) && onlyDateTime.test(after.text)) return true;
  const [old, now] = [before.text.match(date)?.[0], after.text.match(date)?.[0]];
  if (!readAt || old === undefined || now === undefined) return false;
  const isDayOf = (text: string, at: number): boolean => {
    return readings(text.replace(noiseWords().weekdayStart, ''), at).some(
      (day) => Math.abs(day + DAY_AND_A_HALF / 3 - at) <= DAY_AND_A_HALF,
    );
  };
  return old !== now && isDayOf(old, readAt.before) && isDayOf(now, readAt.after);
}

const pricesOf = ({ text }: KeyedLine): string =>
  readPrices(text)
    .map(({ amount, currency }) => `${amount} ${currency}`)
    .join();

function pairReason(spans: readonly ChangedSpan[]): string {
  const words = spans.map(({ old, now }) => [...old, ...now].join(' ')).join(' ');
  const kind = kindOf(words);
  if (kind) return `${kind} has changed.`;
  return spans.every(({ old, now }) => /^[\d\s.,%-]*$/.test([...old, ...now].join(' ')))
    ? 'A number has changed.'
    : 'The wording has changed.';
}

function kindOf(text: string): string | undefined {
  const { availability, date } = noiseWords();
  if (readPrices(text).length > 0) return 'A price';
  if (availability.test(text)) return 'What is said about availability';
  if (VERSION.test(text)) return 'A version';
  return text.search(date) === -1 ? undefined : 'A date';
}

function changedWords({ before, after }: LineChange): string {
  if (!before || !after) return (after ?? before)!.text.slice(0, 500);
  return changedSpans(before.key, after.key)
    .flatMap(({ old, now }) => [...old, ...now])
    .concat(after.text.slice(0, 60))
    .join(' ');
}
