// Dates and times as pages write them, in the forms that schemas ask for.
import { readDate } from '../../../text/dates/read-date.ts';

const ISO = /\d{4}-\d\d-\d\d(?:[T ]\d\d:?\d\d(?::?\d\d(?:[.,]\d+)?)?\s?(?:Z|[+-]\d\d:?(?:\d\d)?)?)?/i;
const NUMERIC = /(?<!\d)(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{4}|\d\d)(?!\d)/;
const NAMED =
  /(?<![\p{L}\d])(?:\d{1,2}(?:st|nd|rd|th|er|\.|º)?(?:\s(?:of|de))?[\s-]\p{L}{3,12}\.?,?(?:\sde)?[\s-]\d{4}|\p{L}{3,12}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4})(?!\d)/u;
const MONTH_FIRST = /^en(?:-(?:us|ph))?$/i;
const TIME =
  /(?<![\d:])(\d{1,2})[:.h](\d\d)(?::\d\d)?(?!\d)\s?(?:uhr\b|h\b)?\s?([ap]\.?m\b\.?)?|(?<![\d:])(\d{1,2})\s?([ap]\.?m\b\.?)/i;
const MAX_TEXT = 300;
/** Events are announced for the future, which the reader of publication dates refuses. */
const FAR_AHEAD = Date.UTC(2200, 0);

export interface FoundDate {
  /** 2026-05-01 */
  day: string;
  /** 19:30:00, if the text has one. */
  time?: string;
  /** Z or an offset, if the text has one. */
  zone?: string;
  /** The date as it stands in the text, without the time. */
  text: string;
}

/** The first date of a text. Day and month are told apart by the language of the page where the text leaves it open. */
export function findDate(text: string, language: string | undefined): FoundDate | undefined {
  const searched = text.slice(0, MAX_TEXT);
  const iso = ISO.exec(searched);
  if (iso) return isoDate(iso[0]);
  const found = namedDay(searched) ?? numericDay(searched, language);
  if (!found) return undefined;
  const time = findTime(searched.slice(found.end)) ?? findTime(searched.slice(0, found.start));
  return { day: found.day, ...(time && { time }), text: searched.slice(found.start, found.end) };
}

function isoDate(text: string): FoundDate | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d))?(?:[.,]\d+)?\s?(Z|[+-]\d\d:?(?:\d\d)?)?)?/i.exec(
    text,
  );
  if (!match || readDate(match[1]!, FAR_AHEAD) === undefined) return undefined;
  const [, day, hour, minute, second, zone] = match;
  return {
    day: day!,
    text: match[0],
    ...(hour !== undefined && { time: `${hour}:${minute}:${second ?? '00'}` }),
    ...(zone !== undefined && { zone: fullZone(zone) }),
  };
}

const fullZone = (zone: string): string => {
  if (/^z$/i.test(zone)) return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
};

interface FoundDay {
  day: string;
  start: number;
  end: number;
}

function namedDay(text: string): FoundDay | undefined {
  const match = NAMED.exec(text);
  const time = match ? readDate(match[0], FAR_AHEAD) : undefined;
  if (!match || time === undefined) return undefined;
  return { day: dayOf(time), start: match.index, end: match.index + match[0].length };
}

function numericDay(text: string, language: string | undefined): FoundDay | undefined {
  const match = NUMERIC.exec(text);
  if (!match) return undefined;
  const [one, two] = [Number(match[1]), Number(match[3])];
  const year = Number(match[4]) + (match[4]!.length === 2 ? 2000 : 0);
  const isMonthFirst = match[2] !== '.' && one <= 12 && (two > 12 || MONTH_FIRST.test(language ?? ''));
  if (match[2] !== '.' && one <= 12 && two <= 12 && one !== two && language === undefined) return undefined;
  const [month, day] = isMonthFirst ? [one, two] : [two, one];
  const time = Date.UTC(year, month - 1, day);
  const isReal = new Date(time).getUTCMonth() === month - 1 && new Date(time).getUTCDate() === day;
  return isReal ? { day: dayOf(time), start: match.index, end: match.index + match[0].length } : undefined;
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** 19:30, 7:30 pm, 19.30 Uhr, 20h30. */
export function findTime(text: string): string | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const half = match[3] ?? match[5];
  let hour = Number(match[1] ?? match[4]);
  if (half !== undefined) hour = (hour % 12) + (/^p/i.test(half) ? 12 : 0);
  const minute = match[2] ?? '00';
  return hour > 23 || Number(minute) > 59 ? undefined : `${String(hour).padStart(2, '0')}:${minute}:00`;
}
