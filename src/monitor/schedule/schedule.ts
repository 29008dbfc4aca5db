// Schedules of monitors: what a caller may ask for, when it runs next, and how often.
import type { GivenSchedule } from '../../contracts/monitor/monitor.ts';
import { assert } from '../../util/assert.ts';
import { type Cron, matchesDay, parseCron, shortestInterval } from './cron.ts';
import { nextRun } from './next-run.ts';
import { cronForText } from './text-schedule.ts';
import { openTimeZone, type TimeZone } from './time-zone.ts';

/** As it is stored and answered. */
export interface MonitorSchedule {
  cron: string;
  /** IANA name. */
  timezone: string;
}

const MAX_LENGTH = 128;
const MIN_INTERVAL_MINUTES = 5;
const MIN_INTERVAL_MS = MIN_INTERVAL_MINUTES * 60_000;
const DAY_MS = 86_400_000;

/** Turns words into cron and refuses what cannot be run; `problem` says why, for the caller. */
export function readSchedule({
  cron,
  text,
  timezone = 'UTC',
}: Partial<GivenSchedule>): MonitorSchedule | { problem: string } {
  const given = cron ?? text;
  if (given === undefined || (cron !== undefined && text !== undefined))
    return { problem: 'A schedule has either "cron" or "text".' };
  if (given.length > MAX_LENGTH) return { problem: `A schedule has at most ${MAX_LENGTH} characters.` };
  const written = cron ?? cronForText(given);
  if (typeof written !== 'string') return written;
  const parsed = parseCron(written);
  if ('problem' in parsed) return parsed;
  if (timezone.length > MAX_LENGTH || !openTimeZone(timezone))
    return { problem: 'The time zone is unknown. Use an IANA name such as "Europe/Berlin".' };
  if (shortestInterval(parsed) < MIN_INTERVAL_MINUTES)
    return { problem: `Monitor schedule must not run more often than every ${MIN_INTERVAL_MINUTES} minutes` };
  return { cron: written.trim().replace(/\s+/g, ' '), timezone };
}

/**
 * The next run of a valid schedule. Runs keep their distance from `lastRunAt` also when the clocks change, which can move a
 * run close to another one.
 */
export function nextRunAt(schedule: MonitorSchedule, now: number, lastRunAt = Number.NEGATIVE_INFINITY): number {
  const { cron, zone } = open(schedule);
  // A run in the future was noted while the clock of the machine was wrong. It must not put the next one off.
  const last = Math.min(lastRunAt, now);
  return nextRun(cron, zone, Math.max(now, last + MIN_INTERVAL_MS - 1));
}

/** The average over 28 years, in which the weekdays of all dates repeat. */
export function runsPerMonth(schedule: MonitorSchedule, now: number): number {
  const { cron } = open(schedule);
  const [years, today] = [28, Math.floor(now / DAY_MS)];
  let days = 0;
  for (let day = today; day < today + years * 365.25; day++) if (matchesDay(cron, day)) days++;
  return (days * cron.hours.length * cron.minutes.length) / (years * 12);
}

/** A zone that the engine no longer knows counts as UTC: a stored monitor must go on. */
function open({ cron, timezone }: MonitorSchedule): { cron: Cron; zone: TimeZone } {
  const parsed = parseCron(cron);
  assert(!('problem' in parsed), 'a stored schedule is valid');
  return { cron: parsed, zone: openTimeZone(timezone) ?? openTimeZone('UTC')! };
}
