// Finds out whether a word is the name of a month or weekday.
import { calendarNames } from '../../../src/transform/fingerprint/calendar-words.ts';
import { hashWord } from './hashed-words.ts';

export const NOT_IN_CALENDAR = 0;
/** A month or weekday in one language but a common word in another: not a date on its own. */
export const DOUBTFUL = 1;
export const CALENDAR_WORD = 2;

/** Classifies a word by the two halves of its hash. */
export type CalendarTest = (low: number, high: number) => number;

const SLOTS = 4096;

export function createCalendarTest(): CalendarTest {
  // An open-addressing table, sparse enough that most words hit an empty slot at once.
  const lows = new Int32Array(SLOTS);
  const highs = new Int32Array(SLOTS);
  const kinds = new Uint8Array(SLOTS);
  const slotOf = (low: number, high: number): number => {
    let slot = low & (SLOTS - 1);
    while (kinds[slot] !== NOT_IN_CALENDAR && (lows[slot] !== low || highs[slot] !== high))
      slot = (slot + 1) & (SLOTS - 1);
    return slot;
  };
  for (const { name, kind } of calendarNames()) {
    const [low, high] = hashWord(name);
    const slot = slotOf(low, high);
    lows[slot] = low;
    highs[slot] = high;
    kinds[slot] = kind;
  }
  return (low, high) => kinds[slotOf(low, high)]!;
}
