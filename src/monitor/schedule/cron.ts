// Cron expressions with five fields of numbers, ranges, lists and steps. Day of month and weekday must both match.
// Times are local: milliseconds since 1970 as a clock on the wall would count them, without a zone.
import { fail } from '../../util/assert.ts';

export interface Cron {
  minutes: readonly number[];
  hours: readonly number[];
  daysOfMonth: readonly number[];
  months: readonly number[];
  /** Sunday is 0. */
  weekdays: readonly number[];
}

interface Field {
  name: string;
  min: number;
  max: number;
}

const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12 },
  { name: 'weekday', min: 0, max: 7 },
];
const DAY_MS = 86_400_000;
/** Days of each month in a leap year. */
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** 29 February falls on a given weekday at least once in this time, also around 2100, which is no leap year. */
const MAX_DAYS = 41 * 366;

export function parseCron(text: string): Cron | { problem: string } {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== FIELDS.length)
    return { problem: 'A cron expression has five fields: minute, hour, day of month, month and weekday.' };
  const values: number[][] = [];
  for (const [index, field] of FIELDS.entries()) {
    const read = readField(parts[index]!, field);
    if (read === undefined)
      return {
        problem: `The ${field.name} of the cron expression must consist of numbers from ${field.min} to ${field.max}, ranges (1-5), lists (1,3) and steps (*/15).`,
      };
    values.push(read);
  }
  const [minutes, hours, daysOfMonth, months, weekdays] = values as [number[], number[], number[], number[], number[]];
  if (!months.some((month) => daysOfMonth[0]! <= MONTH_DAYS[month - 1]!))
    return { problem: 'The cron expression never runs: none of its months has such a day.' };
  return { minutes, hours, daysOfMonth, months, weekdays: sorted(weekdays.map((day) => day % 7)) };
}

/** The values in ascending order; undefined if the field is invalid. */
function readField(text: string, { min, max }: Field): number[] | undefined {
  const values: number[] = [];
  for (const item of text.split(',')) {
    const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(item);
    if (!match) return undefined;
    const step = Number(match[3] ?? 1);
    const first = Number(match[1] ?? min);
    // `5/15` counts from 5 to the end, as most implementations have it.
    const isOpen = match[1] === undefined || (match[2] === undefined && match[3] !== undefined);
    const last = isOpen ? max : Number(match[2] ?? first);
    if (step === 0 || first < min || last > max || first > last) return undefined;
    for (let value = first; value <= last; value += step) values.push(value);
  }
  return sorted(values);
}

const sorted = (values: number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

export function matchesDay(cron: Cron, day: number): boolean {
  const date = new Date(day * DAY_MS);
  return (
    cron.months.includes(date.getUTCMonth() + 1) &&
    cron.daysOfMonth.includes(date.getUTCDate()) &&
    cron.weekdays.includes(date.getUTCDay())
  );
}

/** The first local time of the expression that is not before `local`. */
export function localTimeFrom(cron: Cron, local: number): number {
  const today = Math.floor(local / DAY_MS);
  const minute = Math.ceil((local - today * DAY_MS) / 60_000);
  for (let day = today; day <= today + MAX_DAYS; day++) {
    if (!matchesDay(cron, day)) continue;
    const found = minuteFrom(cron, day === today ? minute : 0);
    if (found !== undefined) return day * DAY_MS + found * 60_000;
  }
  return fail('a cron expression has no next time');
}

/** The first minute of a day that is not before `minute`. */
function minuteFrom({ hours, minutes }: Cron, minute: number): number | undefined {
  for (const hour of hours) {
    if (hour * 60 + 59 < minute) continue;
    const found = minutes.find((each) => hour * 60 + each >= minute);
    if (found !== undefined) return hour * 60 + found;
  }
  return undefined;
}

/** The shortest time between two runs, in minutes of the wall clock; 60 if it is an hour or more. */
export function shortestInterval(cron: Cron): number {
  const { hours, minutes } = cron;
  const within = minutes.slice(1).map((minute, index) => minute - minutes[index]!);
  const overTheHour = 60 - minutes.at(-1)! + minutes[0]!;
  const isHourAfter = hours.some((hour) => hours.includes(hour + 1));
  const isOverMidnight = hours.includes(23) && hours.includes(0) && hasAdjacentDays(cron);
  return Math.min(60, ...within, ...(isHourAfter || isOverMidnight ? [overTheHour] : []));
}

function hasAdjacentDays({ daysOfMonth, months, weekdays }: Cron): boolean {
  const matches = (month: number, day: number) => months.includes(month) && daysOfMonth.includes(day);
  const dates = months.some((month) =>
    daysOfMonth.some((day) => {
      const length = MONTH_DAYS[month - 1]!;
      const isLast = day === length || (month === 2 && day === 28);
      return (day < length && matches(month, day + 1)) || (isLast && matches((month % 12) + 1, 1));
    }),
  );
  return dates && weekdays.some((day) => weekdays.includes((day + 1) % 7));
}
