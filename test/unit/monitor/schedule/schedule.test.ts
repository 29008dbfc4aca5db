import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GivenSchedule } from '../../../../src/contracts/monitor/monitor.ts';
import { nextRunAt, readSchedule, runsPerMonth } from '../../../../src/monitor/schedule/schedule.ts';

const problemOf = (given: Partial<GivenSchedule>): string | undefined => {
  const read = readSchedule(given);
  return 'problem' in read ? read.problem : undefined;
};
const cronOf = (text: string): string | undefined => {
  const read = readSchedule({ text });
  return 'cron' in read ? read.cron : undefined;
};
const runsFrom = (cron: string, timezone: string, from: string, count: number): string[] => {
  const found: string[] = [];
  let at = Date.parse(from);
  while (found.length < count) {
    at = nextRunAt({ cron, timezone }, at, found.length > 0 ? at : undefined);
    found.push(new Date(at).toISOString());
  }
  return found;
};

const WORDS: [text: string, cron: string][] = [
  ['every 30 minutes', '*/30 * * * *'],
  ['Every  5   MINUTES', '*/5 * * * *'],
  ['every 15 minutes starting at :05', '5-59/15 * * * *'],
  ['every 15 minutes starting at :20', '5-59/15 * * * *'],
  ['every 60 minutes starting at :10', '10 * * * *'],
  ['hourly', '0 * * * *'],
  ['hourly at :07', '7 * * * *'],
  ['every hour', '0 * * * *'],
  ['every 1 hour', '0 * * * *'],
  ['every 6 hours', '0 */6 * * *'],
  ['every 24 hours', '0 0 * * *'],
  [' daily ', '0 0 * * *'],
  ['daily at 9', '0 9 * * *'],
  ['daily at 9am', '0 9 * * *'],
  ['daily at 12am', '0 0 * * *'],
  ['daily at 12:15 PM', '15 12 * * *'],
  ['daily at 23:59', '59 23 * * *'],
  ['every day at 5:30pm', '30 17 * * *'],
  ['weekly', '0 0 * * 0'],
  ['every week', '0 0 * * 0'],
];
for (const [text, cron] of WORDS)
  test(`"${text}" means ${cron}`, () => {
    assert.equal(cronOf(text), cron);
  });

const REFUSED: [given: Partial<GivenSchedule>, problem: RegExp][] = [
  [{}, /either/],
  [{ cron: '0 0 * * *', text: 'daily' }, /either/],
  [{ text: 'every 7 minutes' }, /divide 60/],
  [{ text: 'every 0 minutes' }, /divide 60/],
  [{ text: 'every 5 hours' }, /divide 24/],
  [{ text: 'daily at 25' }, /time of day/],
  [{ text: 'daily at 13pm' }, /time of day/],
  [{ text: 'daily at 0am' }, /time of day/],
  [{ text: 'hourly at :60' }, /:59/],
  [{ text: 'whenever it changes' }, /"every 30 minutes"/],
  [{ text: `daily${' '.repeat(200)}` }, /128/],
  [{ cron: '0 0 * *' }, /five fields/],
  [{ cron: '0 0 0 * * *' }, /five fields/],
  [{ cron: '@daily' }, /five fields/],
  [{ cron: '0 0 * * MON' }, /weekday/],
  [{ cron: '0 0 L * *' }, /day of month/],
  [{ cron: '60 0 * * *' }, /minute/],
  [{ cron: '0 24 * * *' }, /hour/],
  [{ cron: '0 0 0 * *' }, /day of month/],
  [{ cron: '0 0 * 13 *' }, /month/],
  [{ cron: '0 0 * * 8' }, /weekday/],
  [{ cron: '*/0 0 * * *' }, /minute/],
  [{ cron: '30-10 0 * * *' }, /minute/],
  [{ cron: '0,, 0 * * *' }, /minute/],
  [{ cron: '0 0 31 2 *' }, /never runs/],
  [{ cron: '0 0 31 4,6,9,11 *' }, /never runs/],
  [{ cron: '0 0 * * *', timezone: 'Mars/Olympus' }, /time zone/],
  [{ cron: '0 0 * * *', timezone: '+02:00' }, /time zone/],
  [{ cron: '0 0 * * *', timezone: '' }, /time zone/],
];
for (const [given, problem] of REFUSED)
  test(`${JSON.stringify(given).slice(0, 60)} is refused: ${problem.source}`, () => {
    assert.match(problemOf(given) ?? 'accepted', problem);
  });

const FLOOR = 'Monitor schedule must not run more often than every 5 minutes';
for (const cron of ['* * * * *', '0,1 * * * *', '0,30,59 * * * *', '*/4 * * * *', '0,58 0,23 * * *', '2,58 9-10 1 1 *'])
  test(`${cron} would run more often than every five minutes`, () => {
    assert.equal(problemOf({ cron }), FLOOR);
  });
for (const cron of [
  '*/5 * * * *',
  '0,58 0,23 * * 1',
  '0,58 0,23 31 12 *',
  '2,58 9,11 * * *',
  '0 0 29 2 1',
  '7/10 0 * * 7',
])
  test(`${cron} keeps five minutes between its runs`, () => {
    assert.equal(problemOf({ cron }), undefined);
  });

test('day of month and weekday must both match', () => {
  assert.deepEqual(runsFrom('0 12 13 * 5', 'UTC', '2026-01-01', 3), [
    '2026-02-13T12:00:00.000Z',
    '2026-03-13T12:00:00.000Z',
    '2026-11-13T12:00:00.000Z',
  ]);
});

test('a date that is rare is found, over a century that is no leap year', () => {
  assert.deepEqual(runsFrom('0 0 29 2 1', 'UTC', '2073-01-01', 2), [
    '2112-02-29T00:00:00.000Z',
    '2140-02-29T00:00:00.000Z',
  ]);
});

test('a time that the clocks skip runs once when they have changed', () => {
  assert.deepEqual(runsFrom('30 2,14 * * *', 'Europe/Berlin', '2027-03-27T23:00:00Z', 3), [
    '2027-03-28T01:00:00.000Z',
    '2027-03-28T12:30:00.000Z',
    '2027-03-29T00:30:00.000Z',
  ]);
});

test('a time that comes twice runs once', () => {
  assert.deepEqual(runsFrom('30 2,14 * * *', 'Europe/Berlin', '2027-10-30T22:00:00Z', 3), [
    '2027-10-31T00:30:00.000Z',
    '2027-10-31T13:30:00.000Z',
    '2027-11-01T01:30:00.000Z',
  ]);
});

test('a schedule of every hour neither stops nor stutters when the clocks change', () => {
  for (const from of ['2027-03-27T23:00:00Z', '2027-10-30T22:00:00Z']) {
    const found = runsFrom('*/30 * * * *', 'Europe/Berlin', from, 12).map((time) => Date.parse(time));
    assert.deepEqual(
      found.slice(1).map((time, index) => time - found[index]!),
      Array(11).fill(30 * 60_000),
    );
  }
});

test('a run that the clocks move next to another one replaces it', () => {
  assert.deepEqual(runsFrom('3,58 1-3 * * *', 'Europe/Berlin', '2027-03-28T00:30:00Z', 3), [
    '2027-03-28T00:58:00.000Z',
    '2027-03-28T01:03:00.000Z',
    '2027-03-28T01:58:00.000Z',
  ]);
});

test('runs per month are an average', () => {
  const perMonth = (cron: string) => runsPerMonth({ cron, timezone: 'UTC' }, Date.parse('2027-01-01'));
  assert.equal(perMonth('0 0 1 * *'), 1);
  assert.equal(perMonth('*/30 * * * *').toFixed(1), '1461.0');
  assert.equal(perMonth('0 9 * * 1-5').toFixed(2), '21.74');
  assert.equal(perMonth('0 0 29 2 *').toFixed(4), (7 / 336).toFixed(4));
});

test('a last run in the future, noted by a clock that was wrong, does not put the next one off', () => {
  const now = Date.UTC(2027, 0, 4, 0, 30);
  const schedule = { cron: '0 * * * *', timezone: 'UTC' };
  assert.equal(nextRunAt(schedule, now, now + 365 * 86_400_000), Date.UTC(2027, 0, 4, 1));
});
