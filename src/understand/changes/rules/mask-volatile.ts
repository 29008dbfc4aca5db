// Replaces what changes by itself in a text by a mark for its kind: ages, time stamps, counters, identifiers. Two texts that
// are equal afterwards say the same.
import { type NoiseWords, noiseWords } from './noise-words.ts';
import { type Goal, wants } from './read-goal.ts';

/** Stands in front of the kind. No page text keeps it. */
export const MARK = '\u25cc';

export interface TextContext {
  /** The line before, which may be the label of this one. */
  label: string;
  goal: Goal;
}

/** Longer lines are prose or data: the rest of them is compared as it stands. */
const MAX_MASKED = 4_000;
/** How much around a number may say that it is a limit of a plan, not a count. */
const LIMIT_CONTEXT = 24;

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** Letters and digits in turn, as no word and no number has them. */
const RANDOM_TOKEN =
  /(?<![\w/.@-])(?=[\w-]{0,80}\d)(?=[\w-]{0,80}[a-z])(?![\w-]{0,80}-[a-z]{4,20}-)[A-Za-z0-9_-]{20,200}(?![\w-])/g;
const COPYRIGHT = /((?:©|\(c\)|copyright)[^\n]{0,80}?)(?<!\d)(?:\d{4} ?[-–—] ?)?(?:19|20)\d\d(?!\d)/giu;
const RIGHTS =
  /(?:\d{4} ?[-–—] ?)?(?:19|20)\d\d([^\n]{0,60}(?:all rights reserved|alle rechte vorbehalten|tous droits réservés))/giu;
const TIMING =
  /((?:rendered|generated|loaded|served|executed|took|query time|response time|load time|processed)[^\n\d]{0,30})\d{1,6}(?:[.,]\d{1,6})? ?(?:ms|s|secs?|seconds?|milliseconds?)(?![\p{L}])/giu;
const PAGE_OF =
  /(?<![\p{L}])(page|seite|página|pagina|results?|showing|displaying|items?|products?|entries) (?:results? )?\d[\d.,]{0,10}(?: ?(?:[-–]|to|bis) ?\d[\d.,]{0,10})? (?:of|von|de|sur|di|out of) \d[\d.,]{0,12}/giu;
const READING_TIME =
  /\d{1,3} ?[- ]?(?:min(?:ute)?s?\.?) ?(?:read|reading time|lesezeit|de lecture|de lectura)|(?:reading time|lesezeit)[: ]{1,3}\d{1,3} ?(?:min(?:ute)?[ns]?\.?)/giu;
const GREETING =
  /^(?:good (?:morning|afternoon|evening|night|day)|guten (?:morgen|tag|abend)|bonjour|bonsoir)(?![\p{L}])/iu;
const BYLINE = /^(?:by|von|par|por|di|door) \p{L}/iu;
const SHORT_AGE = /(^|[·|•] ?)\d{1,3} ?(?:s|m|h|d|w|mo|y)(?=$| ?[·|•])/gu;
const YEAR = /^(?:19|20)\d\d$/;

export function maskVolatile(text: string, { label, goal }: TextContext): string {
  const words = noiseWords();
  if (!/[\d©]/.test(text) && text.search(words.relativeTime) === -1 && !GREETING.test(text)) return text;
  const head = text.slice(0, MAX_MASKED);
  const timeless = wants(goal, 'date', 'time', 'timestamp') ? head : maskTimes(head, label, words);
  return (
    maskIdentifiers(maskCounts(timeless, goal, words), words).replace(GREETING, mark('greeting')) +
    text.slice(MAX_MASKED)
  );
}

const mark = (kind: string): string => ` ${MARK}${kind} `;

function maskTimes(text: string, label: string, words: NoiseWords): string {
  const masked = text
    .replace(COPYRIGHT, `$1${mark('year')}`)
    .replace(RIGHTS, `${mark('year')}$1`)
    .replace(words.countdown, mark('countdown'))
    .replace(words.relativeTime, mark('time'))
    .replace(SHORT_AGE, `$1${mark('time')}`)
    .replace(words.stamped, `$1${mark('time')}`)
    .replace(TIMING, `$1${mark('duration')}`)
    .replace(READING_TIME, mark('readingtime'));
  const isStamp = words.stampLabel.test(label.trim()) || (BYLINE.test(text) && text.length < 200);
  return isStamp ? masked.replace(words.dateTime, mark('time')) : masked;
}

function maskCounts(text: string, goal: Goal, words: NoiseWords): string {
  const count = (match: string, noun: string, at: number): string =>
    isLimit(text, at, match, words) || (at === 0 && YEAR.test(match.split(' ')[0]!)) || wants(goal, noun)
      ? match
      : `${mark('count')}${noun.slice(0, 4)}`;
  return text
    .replace(PAGE_OF, mark('pages'))
    .replace(words.countAfter, count)
    .replace(words.countBefore, count)
    .replace(words.audience, (match, noun: string, at: number) =>
      words.audienceSign.test(around(text, at, match)) ? count(match, noun, at) : match,
    );
}

const around = (text: string, at: number, match: string): string =>
  text.slice(Math.max(0, at - LIMIT_CONTEXT), at + match.length + LIMIT_CONTEXT);

/** "Up to 10,000 page views per month" is what a plan offers. */
const isLimit = (text: string, at: number, match: string, { limit }: NoiseWords): boolean =>
  limit.test(around(text, at, match));

/** A checksum or a commit names a certain file or version: it is no accident if it changes. */
function maskIdentifiers(text: string, words: NoiseWords): string {
  if (words.checksum.test(text)) return text;
  return text
    .replace(words.identifier, `$1${mark('id')}`)
    .replace(UUID, mark('id'))
    .replace(RANDOM_TOKEN, mark('id'));
}
