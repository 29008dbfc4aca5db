// Folds dates: every month, weekday, day, year, time and id becomes the same term, so that the months of an empty
// calendar have equal terms. A number is folded only where it is part of a date; elsewhere it may be all that differs.
import { CALENDAR_WORD, createCalendarTest, NOT_IN_CALENDAR } from './calendar-test.ts';
import { FOLDED, MAX_CALENDAR_NUMBER, mix, PLAIN } from './hashed-words.ts';
import type { TermSet } from './term-set.ts';

export interface DateFolding {
  start(): void;
  word(low: number, high: number, sense: number): void;
  /** Called at the end of the text, when the numbers outside dates can be interpreted. */
  finish(): void;
}

// "7 April", "April 7", "the 7th of April".
const NEAR = 2;
const MAX_DAY = 31;
const SHORTEST_MONTH = 28;
// A page with so many different days shows a month: all its small numbers are days or weeks.
const MONTH_VIEW_DAYS = 20;
const FOLDED_LOW = mix(1);
const FOLDED_HIGH = mix(2);

export function createDateFolding(terms: TermSet): DateFolding {
  const calendarKind = createCalendarTest();
  /** How often each number occurred outside a date. */
  const loose = new Uint32Array(MAX_CALENDAR_NUMBER + 1);
  let words = 0;
  /** Word positions of the last month or weekday, and of the last number. */
  let lastName = 0;
  let lastNumberAt = 0;
  let lastNumber = 0;
  let lastNumberFolded = false;
  /** One bit for each day of the month that occurred. */
  let days = 0;

  const fold = () => terms.add(FOLDED_LOW, FOLDED_HIGH);

  function number(value: number): void {
    if (value <= MAX_DAY) days |= 1 << (value - 1);
    const goesOn = lastNumberFolded && lastNumberAt === words - 1 && isNextDay(lastNumber, value);
    lastNumberFolded = goesOn || words - lastName <= NEAR;
    lastNumber = value;
    lastNumberAt = words;
    if (lastNumberFolded) fold();
    else loose[value] = loose[value]! + 1;
  }

  function calendarName(): void {
    lastName = words;
    if (words - lastNumberAt <= NEAR && !lastNumberFolded) {
      loose[lastNumber] = loose[lastNumber]! - 1;
      lastNumberFolded = true;
    }
  }

  return {
    start() {
      loose.fill(0);
      words = days = lastNumber = 0;
      lastName = lastNumberAt = -NEAR;
      lastNumberFolded = false;
    },
    word(low, high, sense) {
      words += 1;
      if (sense === FOLDED) fold();
      else if (sense !== PLAIN) number(sense);
      else {
        const kind = calendarKind(low, high);
        if (kind === NOT_IN_CALENDAR) terms.add(low, high);
        else fold();
        if (kind === CALENDAR_WORD) calendarName();
      }
    },
    finish() {
      const isMonthView = bitCount(days) >= MONTH_VIEW_DAYS;
      for (let value = 1; value <= MAX_CALENDAR_NUMBER; value++) {
        const times = loose[value]!;
        if (times === 0) continue;
        if (isMonthView) fold();
        else terms.add(mix(~value), mix(value << 8), times);
      }
    },
  };
}

const isNextDay = (day: number, next: number): boolean => next === day + 1 || (next === 1 && day >= SHORTEST_MONTH);

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
