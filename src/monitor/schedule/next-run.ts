// When a schedule runs next, over changes of the clocks. A local time that is skipped runs once when the clocks have changed;
// one that comes twice runs the first time. Schedules of every hour are different: they go on through the repeated hour.
import { type Cron, localTimeFrom } from './cron.ts';
import type { TimeZone } from './time-zone.ts';

const MINUTE_MS = 60_000;
/** More than any zone has ever changed its clocks at once, and less than the time between two changes. */
const WINDOW_MS = 26 * 60 * MINUTE_MS;
const HOURS_OF_A_DAY = 24;

/** The first run after `after`. */
export function nextRun(cron: Cron, zone: TimeZone, after: number): number {
  const isEveryHour = cron.hours.length === HOURS_OF_A_DAY;
  let at = Math.floor(after / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  /** Local times before this one have had their turn before the clocks were set back. */
  let notBefore = isEveryHour ? Number.NEGATIVE_INFINITY : repeatedUntil(zone, at);
  for (;;) {
    const offset = zone.offsetAt(at);
    const run = localTimeFrom(cron, Math.max(at + offset, notBefore)) - offset;
    const change = findChange(zone, at, Math.min(run, at + WINDOW_MS));
    if (change === undefined) {
      if (run <= at + WINDOW_MS) return run;
      at = run - WINDOW_MS;
      continue;
    }
    const local = change + offset;
    const ahead = zone.offsetAt(change) - offset;
    if (!isEveryHour && ahead > 0 && localTimeFrom(cron, Math.max(local, notBefore)) < local + ahead) return change;
    if (!isEveryHour && ahead < 0) notBefore = local;
    at = change;
  }
}

/** Up to which local time the clocks repeat themselves at `at`, if they were set back shortly before. */
function repeatedUntil(zone: TimeZone, at: number): number {
  const start = at - WINDOW_MS;
  const change = findChange(zone, start, at);
  return change === undefined ? Number.NEGATIVE_INFINITY : change + zone.offsetAt(start);
}

/** The first minute after `start` in which the zone has another offset. */
function findChange(zone: TimeZone, start: number, end: number): number | undefined {
  const offset = zone.offsetAt(start);
  if (zone.offsetAt(end) === offset) return undefined;
  let [before, after] = [start, end];
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (zone.offsetAt(middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}
