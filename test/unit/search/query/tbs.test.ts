// The time filter `tbs`: what is accepted and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorDetail, ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { readTbs } from '../../../../src/search/query/tbs.ts';

const NOW = Date.UTC(2026, 10, 15, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function assertRefused(text: string, words: RegExp): void {
  assert.throws(
    () => readTbs(text, NOW),
    (error) => {
      assert.ok(error instanceof ServiceError, text);
      assert.equal(error.code, 'INVALID_SEARCH_REQUEST');
      assert.match((error.details as ErrorDetail[])[0]!.message, words);
      return true;
    },
    text,
  );
}

test('presets reach back from now', () => {
  const presets = {
    h: ['hour', HOUR],
    d: ['day', DAY],
    w: ['week', 7 * DAY],
    m: ['month', 30 * DAY],
    y: ['year', 365 * DAY],
  };
  for (const [letter, [preset, ms]] of Object.entries(presets)) {
    assert.deepEqual(readTbs(`qdr:${letter}`, NOW), { time: { from: NOW - Number(ms), preset }, sortByDate: false });
  }
});

test('a preset may have a count, which makes it a range', () => {
  assert.deepEqual(readTbs('qdr:h6', NOW).time, { from: NOW - 6 * HOUR });
  assert.deepEqual(readTbs('qdr:d3', NOW).time, { from: NOW - 3 * DAY });
  assert.deepEqual(readTbs('qdr:w1', NOW).time, { from: NOW - 7 * DAY, preset: 'week' });
});

test('a custom range includes its last day', () => {
  const time = { from: Date.UTC(2026, 0, 2), until: Date.UTC(2026, 2, 1) };
  assert.deepEqual(readTbs('cdr:1,cd_min:1/2/2026,cd_max:02/28/2026', NOW), { time, sortByDate: false });
  assert.deepEqual(readTbs('cd_max:2/28/2026,cdr:1,cd_min:01/02/2026', NOW).time, time);
});

test('a range may be open at one end, or a single day', () => {
  assert.deepEqual(readTbs('cdr:1,cd_min:2/29/2024', NOW).time, { from: Date.UTC(2024, 1, 29) });
  assert.deepEqual(readTbs('cdr:1,cd_max:12/31/1999', NOW).time, { until: Date.UTC(2000, 0, 1) });
  const day = Date.UTC(2026, 4, 4);
  assert.deepEqual(readTbs('cdr:1,cd_min:5/4/2026,cd_max:5/4/2026', NOW).time, { from: day, until: day + DAY });
});

test('dates alone imply a range', () =>
  assert.deepEqual(readTbs('cd_min:5/4/2026', NOW).time, { from: Date.UTC(2026, 4, 4) }));

test('sorting by date works with and without a range', () => {
  assert.deepEqual(readTbs('sbd:1', NOW), { sortByDate: true });
  assert.deepEqual(readTbs('sbd:0', NOW), { sortByDate: false });
  assert.deepEqual(readTbs('sbd:1,qdr:w', NOW), { time: { from: NOW - 7 * DAY, preset: 'week' }, sortByDate: true });
});

test('spaces, upper case, empty parts and repetitions are accepted', () => {
  assert.deepEqual(readTbs(' QDR:D , sbd: 1 ,, qdr:d ', NOW), {
    time: { from: NOW - DAY, preset: 'day' },
    sortByDate: true,
  });
  for (const empty of ['', '  ', ',', 'cdr:0']) assert.deepEqual(readTbs(empty, NOW), { sortByDate: false });
});

test('an unknown token is named, together with the allowed ones', () => {
  for (const bad of [
    'qdr:x',
    'qdr',
    'qdr:',
    'qdr:d1000',
    'qdr:-1',
    'sbd:2',
    'lr:lang_en',
    'week',
    ':',
    'cdr:yes',
    '__proto__:1',
    'constructor:1',
  ]) {
    assertRefused(`sbd:1,${bad}`, new RegExp(`\`${bad}\` is not a time filter.*qdr:h.*cd_min:MM/DD/YYYY.*sbd:1`));
  }
});

test('a long bad token is not repeated in full', () => {
  assertRefused('x'.repeat(100_000), /^.{0,400}$/);
});

test('invalid dates and other date formats are refused', () => {
  assertRefused('cdr:1,cd_min:02/30/2026', /02\/30\/2026 is not a valid date/);
  assertRefused('cdr:1,cd_max:13/01/2026', /13\/01\/2026 is not a valid date/);
  assertRefused('cdr:1,cd_min:2/29/2026', /is not a valid date/);
  assertRefused('cdr:1,cd_min:0/1/2026', /is not a valid date/);
  for (const written of ['2026-01-02', '1/2/26', '1.2.2026', ''])
    assertRefused(`cdr:1,cd_min:${written}`, /is not a time filter/);
});

test('contradictions are refused', () => {
  assertRefused('cdr:1', /needs cd_min/);
  assertRefused('cdr:1,cd_min:5/5/2026,cd_max:5/4/2026', /cd_min \(5\/5\/2026\) is after cd_max/);
  assertRefused('qdr:d,cdr:1,cd_min:1/1/2026', /exclude each other/);
  assertRefused('qdr:d,qdr:w', /qdr is given twice/);
  assertRefused('cdr:0,cd_min:1/1/2026', /contradicts/);
  assertRefused('qdr:d0', /spans no time/);
});
