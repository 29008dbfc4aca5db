// Moments that a page writes in parts: a day here and a time there, or from when to when.
import { findDate, findTime } from './read-date.ts';

const MAX_TEXT = 200;
const TO =
  /\s*(?:–|—|-|\bto\b|\buntil\b|\btill\b|\bbis\b|\bà\b|\bau\b|\bjusqu'à\b|\ba\b|\bal\b|\bhasta\b|\balle\b|\btot\b)\s*/iu;

/** "10:00 am - 2:00 pm": when it ends. Undefined if the text has no range. */
export function endTime(text: string): string | undefined {
  const short = text.slice(0, MAX_TEXT);
  for (const match of short.matchAll(new RegExp(TO.source, 'giu'))) {
    const [before, after] = [short.slice(0, match.index), short.slice(match.index + match[0].length)];
    if (/^\d{1,2}(?:[:.h]\d\d)?\s?(?:[ap]\.?m|uhr|h\b)?/i.test(after) && findTime(before) && findTime(after))
      return findTime(after);
  }
  return undefined;
}

/** "3 May 2026 – 5 May 2026": the last day. */
export function endDay(text: string, language: string | undefined): string | undefined {
  const short = text.slice(0, MAX_TEXT);
  const first = findDate(short, language);
  if (!first) return undefined;
  const after = short.slice(short.indexOf(first.text) + first.text.length);
  const second = TO.test(after.slice(0, 30)) ? findDate(after, language) : undefined;
  return second && second.day >= first.day ? second.day : undefined;
}
