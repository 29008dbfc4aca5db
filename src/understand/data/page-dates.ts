// The days and times that a page says, for values that a schema demands in the form of ISO 8601.
import { MONTH_NAMES, readDate } from '../../text/dates/read-date.ts';
import { findDate, findTime } from '../json/values/read-date.ts';
import { folded } from './item-values.ts';
import { withPlainDigits } from './page-numbers.ts';
import { inLanguage } from './written-codes.ts';

const ISO_VALUE = /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?\s?(Z|[+-]\d\d:?\d\d)?)?)?$/;
const TIME_VALUE = /^(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;
const MAX_CHUNK = 280;
const MAX_DATES = 20;
/** Where day and month could be swapped, either way counts. */
const ORDERS = ['en-US', 'en-GB'];
const NAMES = MONTH_NAMES.join('|');
const DAY_AND_MONTH = new RegExp(
  `(?<!\\d)(\\d{1,2})(?:st|nd|rd|th|er|\\.|º)?\\s(?:of\\s|de\\s)?(${NAMES})(?!\\p{L})|(?<!\\p{L})(${NAMES})\\.?\\s(\\d{1,2})(?!\\d)`,
  'giu',
);
const CLOCK = /(?<![\d:.])\d{1,2}(?:[:.h]\d\d)?(?!\d)\s?(?:[ap]\.?m\b\.?|uhr\b|h\b)?/gi;
/** A leap year, which has every day. */
const ANY_YEAR = 2024;
const FAR_AHEAD = Date.UTC(2200, 0);

export interface PageDates {
  /** Undefined if the text is no date or time in the form of ISO 8601. */
  says(text: string): boolean | undefined;
}

/** `stands`: is a folded text on the page? It knows the months of all languages by the forms of the platform. */
export function datesOf(text: string, language: string | undefined, stands: (folded: string) => boolean): PageDates {
  let found: { days: Set<string>; daysOfYear: Set<string>; times: Set<string> } | undefined;
  const read = () => {
    found ??= readAll(withPlainDigits(text));
    return found;
  };

  const hasDay = (year: string, month: string, day: string): boolean => {
    if (read().days.has(`${year}-${month}-${day}`)) return true;
    if (read().daysOfYear.has(`${month}-${day}`) && stands(year)) return true;
    return forms({ year: Number(year), month: Number(month), day: Number(day) }, language).some(
      ({ words, hasYear }) => stands(folded(words)) && (hasYear || stands(year)),
    );
  };
  const hasMonth = (year: string, month: string): boolean =>
    [...read().days].some((day) => day.startsWith(`${year}-${month}`)) ||
    monthForms(Number(year), Number(month), language).some((words) => stands(folded(words)));
  /** In another zone, the minutes stay the same. */
  const hasTime = (time: string, zone: string | undefined): boolean =>
    time === '00:00' ||
    read().times.has(time) ||
    (zone !== undefined && [...read().times].some((each) => each.slice(3) === time.slice(3)));

  return {
    says(value) {
      const time = TIME_VALUE.exec(value);
      if (time) return hasTime(time[1]!, time[2]);
      const [, year, month, day, clock, zone] = ISO_VALUE.exec(value) ?? [];
      if (year === undefined || month === undefined) return undefined;
      if (day === undefined) return hasMonth(year, month);
      return hasDay(year, month, day) && (clock === undefined || hasTime(clock, zone));
    },
  };
}

function readAll(text: string) {
  const days = new Set<string>();
  const daysOfYear = new Set<string>();
  const times = new Set<string>();
  for (const chunk of chunksOf(text)) {
    for (const order of ORDERS) {
      let rest = chunk;
      for (let count = 0; count < MAX_DATES; count++) {
        const date = findDate(rest, order);
        if (!date) break;
        days.add(date.day);
        rest = rest.replace(date.text, ' ');
      }
    }
    for (const [, day, month, name, number] of chunk.matchAll(DAY_AND_MONTH)) {
      const time = readDate(`${day ?? number} ${(month ?? name)!.toLowerCase()} ${ANY_YEAR}`, FAR_AHEAD);
      if (time !== undefined) daysOfYear.add(new Date(time).toISOString().slice(5, 10));
    }
    for (const [written] of chunk.matchAll(CLOCK)) {
      const time = findTime(/^\d+$/.test(written.trim()) ? `${written.trim()}:00` : written);
      if (time !== undefined) times.add(time.slice(0, 5));
    }
  }
  return { days, daysOfYear, times };
}

/** Lines with digits, in parts that the readers take. Parts overlap, so that no date is cut. */
function* chunksOf(text: string): Generator<string> {
  for (const line of text.replaceAll(/[*_\\]/g, '').split('\n')) {
    if (!/\d/.test(line)) continue;
    for (let at = 0; at < line.length; at += MAX_CHUNK - 40) yield line.slice(at, at + MAX_CHUNK);
  }
}

const FORMS: readonly [options: Intl.DateTimeFormatOptions, hasYear: boolean][] = [
  [{ dateStyle: 'long' }, true],
  [{ dateStyle: 'medium' }, true],
  [{ dateStyle: 'short' }, true],
  [{ day: 'numeric', month: 'numeric', year: 'numeric' }, true],
  [{ day: '2-digit', month: '2-digit', year: 'numeric' }, true],
  [{ day: 'numeric', month: 'long' }, false],
  [{ day: 'numeric', month: 'short' }, false],
];

/** How a page in this language writes the day. */
function forms({ year, month, day }: { year: number; month: number; day: number }, language: string | undefined) {
  const time = Date.UTC(year, month - 1, day);
  if (!Number.isFinite(time)) return [];
  return FORMS.map(([options, hasYear]) => ({ words: formatted(time, language, options), hasYear }));
}

function monthForms(year: number, month: number, language: string | undefined): string[] {
  const time = Date.UTC(year, month - 1, 1);
  const each = (name: 'long' | 'short' | '2-digit') => ({ month: name, year: 'numeric' }) as const;
  return [language, 'en'].flatMap((locale) =>
    (['long', 'short', '2-digit'] as const).map((name) => formatted(time, locale, each(name))),
  );
}

const formatted = (time: number, language: string | undefined, options: Intl.DateTimeFormatOptions): string =>
  inLanguage(language, (locale) => new Intl.DateTimeFormat(locale, { ...options, ...FIXED }).format(time));

const FIXED = { timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' };
