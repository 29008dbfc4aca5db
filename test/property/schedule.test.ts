// Next run times of any schedule, compared with a model that looks at every minute, around changes of the clocks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { localTimeFrom, parseCron, shortestInterval } from '../../src/monitor/schedule/cron.ts';
import { nextRun } from '../../src/monitor/schedule/next-run.ts';
import { openTimeZone } from '../../src/monitor/schedule/time-zone.ts';
import { amount, runs, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_261_118);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Days around changes: by an hour at night and at midnight, by half an hour, by a whole day, and none at all. */
const PLACES: [zone: string, day: string][] = [
  ['Europe/Berlin', '2027-03-28'],
  ['Europe/Berlin', '2027-10-31'],
  ['America/New_York', '2027-03-14'],
  ['America/New_York', '2027-11-07'],
  ['America/Santiago', '2027-09-05'],
  ['America/Havana', '2027-11-07'],
  ['Australia/Lord_Howe', '2027-10-03'],
  ['Australia/Lord_Howe', '2027-04-04'],
  ['Pacific/Apia', '2011-12-30'],
  ['Asia/Kathmandu', '2027-02-28'],
  ['UTC', '2028-02-29'],
];

/** One field, written with lists, ranges and steps. */
const field = (min: number, max: number) => {
  const number = fc.integer({ min, max });
  const range = fc.tuple(number, number).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const stepped = fc
    .tuple(fc.oneof(fc.constant('*'), range), fc.integer({ min: 1, max }))
    .map(([of, step]) => `${of}/${step}`);
  const items = fc.array(fc.oneof(number.map(String), range, stepped), { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant('*') },
    { weight: 3, arbitrary: items.map((list) => list.join(',')) },
  );
};
const expression = fc
  .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7))
  .map((fields) => fields.join(' '));

/** What a field means, read again in the plainest way: does it contain the value? */
function contains(text: string, value: number, min: number, max: number): boolean {
  return text.split(',').some((item) => {
    const [range, step = '1'] = item.split('/');
    const [first, last = first] = range === '*' ? [min, max] : range!.split('-').map(Number);
    return value >= first! && value <= last! && (value - first!) % Number(step) === 0;
  });
}

function matches(cron: string, local: number): boolean {
  const [minute, hour, day, month, weekday] = cron.split(' ') as [string, string, string, string, string];
  const date = new Date(local);
  return (
    contains(minute, date.getUTCMinutes(), 0, 59) &&
    contains(hour, date.getUTCHours(), 0, 23) &&
    contains(day, date.getUTCDate(), 1, 31) &&
    contains(month, date.getUTCMonth() + 1, 1, 12) &&
    (contains(weekday, date.getUTCDay(), 0, 7) || (date.getUTCDay() === 0 && contains(weekday, 7, 0, 7)))
  );
}

/** What the clocks show in each minute of these days, asked in another way than the code under test does. */
function clocks(zone: string, from: number, to: number): Map<number, number> {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  const shown = new Map<number, number>();
  for (let time = from; time < to; time += MINUTE)
    shown.set(time, Date.parse(`${format.format(time).replace(' ', 'T')}Z`));
  return shown;
}

/** Every minute of the wall calendar: when does it come, if ever? */
function expectedRuns(cron: string, shown: Map<number, number>): number[] {
  const times = [...shown.keys()];
  const byLocal = Map.groupBy(times, (time) => shown.get(time)!);
  const isEveryHour = Array.from({ length: 24 }, (_, hour) => hour).every((hour) =>
    contains(cron.split(' ')[1]!, hour, 0, 23),
  );
  const found = new Set<number>();
  for (let local = shown.get(times[0]!)!; local <= shown.get(times.at(-1)!)!; local += MINUTE) {
    if (!matches(cron, local)) continue;
    const at = byLocal.get(local);
    if (at && isEveryHour) for (const time of at) found.add(time);
    else if (at) found.add(at[0]!);
    else if (!isEveryHour) found.add(times.find((time) => shown.get(time)! > local)!);
  }
  return [...found].sort((a, b) => a - b);
}

for (const [zone, day] of PLACES) {
  const from = Date.parse(day) - DAY;
  const to = Date.parse(day) + 2 * DAY;
  const shown = clocks(zone, from, to);
  const place = openTimeZone(zone)!;
  test(`runs around ${day} in ${zone} are those of a model that looks at every minute (seed ${SEED})`, () => {
    const check = (cron: string, startMinute: number) => {
      const parsed = parseCron(cron);
      if ('problem' in parsed) return;
      const start = from + startMinute * MINUTE;
      const expected = expectedRuns(cron, shown).filter((time) => time > start);
      let at = start;
      for (const run of expected) {
        at = nextRun(parsed, place, at);
        assert.equal(
          new Date(at).toISOString(),
          new Date(run).toISOString(),
          `${cron} from ${new Date(start).toISOString()}`,
        );
      }
      assert.ok(nextRun(parsed, place, at) >= to, `${cron} runs more often than expected`);
    };
    fc.assert(fc.property(expression, fc.integer({ min: 0, max: 3 * 24 * 60 }), check), {
      seed: SEED,
      numRuns: amount({ short: 8, full: 20, long: 500 }),
      examples: [
        ['30 2 * * *', 0],
        ['30 2,14 * * *', 0],
        ['*/15 * * * *', 0],
        ['0 */2 * * *', 0],
        ['*/20 0-2 * * *', 0],
        ['0 0 * * *', 0],
      ],
    });
  });
}

test(`no two times of an expression are closer than its shortest interval, which some of them have (seed ${SEED})`, () => {
  const check = (cron: string) => {
    const parsed = parseCron(cron);
    if ('problem' in parsed) return;
    const [start, claimed] = [Date.parse('2027-12-01'), shortestInterval(parsed)];
    let [last, shortest] = [localTimeFrom(parsed, start), Number.POSITIVE_INFINITY];
    for (let count = 0; count < 1_000; count++) {
      const next = localTimeFrom(parsed, last + MINUTE);
      shortest = Math.min(shortest, (next - last) / MINUTE);
      last = next;
    }
    assert.ok(shortest >= claimed, `${cron}: ${shortest} < ${claimed}`);
    if (claimed < 60 && last - start > 40 * 366 * DAY) assert.equal(shortest, claimed, cron);
  };
  fc.assert(fc.property(expression, check), { seed: SEED, numRuns: runs(40, 2_000) });
});
