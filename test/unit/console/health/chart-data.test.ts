// Charts in words and as tables, histories that grow, and usage as stacked bars.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ChartData,
  rowsOf,
  stacked,
  summaryOf,
  writeFigure,
} from '../../../../web/console/health/chart/chart-data.ts';
import {
  CHARTS,
  chartOf,
  currentOf,
  type History,
  mergeHistory,
} from '../../../../web/console/health/overview/history.ts';
import { barsOf, rowsBy, type Usage } from '../../../../web/console/health/usage/usage-data.ts';

const data = (...values: (number | null)[]): ChartData => ({
  at: values.map((_, index) => index * 1_000),
  unit: 'perSecond',
  series: [{ label: 'Requests', values, color: 1 }],
});

test('figures are written by their unit', () => {
  assert.deepEqual(
    [0, 0.001, 0.25, 3, 42.4, 1_234].map((value) => writeFigure(value, 'perSecond')),
    ['0/s', '< 0.01/s', '0.25/s', '3/s', '42/s', '1,234/s'],
  );
  assert.equal(writeFigure(0.25, 'seconds'), '250 ms');
  assert.equal(writeFigure(null, 'bytes'), '–');
});

test('a chart is told in a sentence: now, and at most', () => {
  assert.equal(summaryOf(data(1, 5, 2, null)), 'Requests: 2/s now, 5/s at most.');
  assert.equal(summaryOf(data(null, null)), 'Requests: nothing was measured yet.');
});

test('the table has the highest figures of equal parts, the latest first', () => {
  assert.deepEqual(rowsOf(data(1, 9, 2, null, 4), 3), [
    { at: 3_000, figures: [4] },
    { at: 1_000, figures: [9] },
    { at: 0, figures: [1] },
  ]);
  assert.deepEqual(rowsOf(data(), 3), []);
});

test('bars stand on those before them', () => {
  const bars = [
    { label: 'a', values: [1, 2], color: 1 as const },
    { label: 'b', values: [10, null], color: 2 as const },
  ];
  assert.deepEqual(stacked(bars), [
    [1, 2],
    [11, 2],
  ]);
});

const history = (now: number, ...at: number[]): History => {
  const values = at.map((time) => time / 10);
  const columns = CHARTS.flatMap(({ lines }) => lines.map(([column]) => column));
  const series = Object.fromEntries(columns.map((column) => [column, values])) as History['series'];
  return { process: { id: 'a', name: 'one' }, everyMs: 10, keptMs: 100, now, at, series };
};

test('new samples are added once, and old ones are dropped', () => {
  const first = mergeHistory(undefined, history(100, 80, 90));
  const second = mergeHistory(first, history(120, 90, 100, 110));
  assert.deepEqual(second.at, [80, 90, 100, 110]);
  assert.deepEqual(second.series.requests, [8, 9, 10, 11]);
  const third = mergeHistory(second, history(195, 190));
  assert.deepEqual(third.at, [100, 110, 190]);
  assert.deepEqual(mergeHistory(third, history(196)).at, [100, 110, 190]);
  assert.deepEqual(mergeHistory(third, history(1_000)).at, []);
  const another = { ...history(200, 195), process: { id: 'b', name: 'two' } };
  assert.deepEqual(mergeHistory(third, another).at, [195]);
  assert.equal(currentOf(third, 'requests'), 19);
  assert.equal(chartOf(third, CHARTS[0]!).series[0]!.values.length, 3);
});

test('a service that was started anew begins anew', () => {
  assert.deepEqual(mergeHistory(history(1_000, 990), history(20, 10, 15)).at, [10, 15]);
});

const used = (credits: number[]) => ({
  ...{ credits, tokens: credits.map(() => 0), totalTokens: 0 },
  totalCredits: credits.reduce((sum, each) => sum + each, 0),
});
const usageOf = (keys: Usage['keys'], more: Partial<Usage> = {}): Usage => ({
  ...{ team: 'default', by: 'day', starts: ['2026-11-15T00:00:00.000Z', '2026-11-16T00:00:00.000Z'] },
  ...{ totalCredits: keys.reduce((sum, { totalCredits }) => sum + totalCredits, 0), totalTokens: 0 },
  ...{ keys, operations: [], ...more },
});

test('keys are shown by their label, those of the same label apart, and requests without a key as such', () => {
  const usage = usageOf([
    { key: 'fc-one', label: 'CI', ...used([3, 1]) },
    { key: 'fc-two', label: 'CI', ...used([0, 2]) },
    { key: null, label: null, ...used([0, 2]) },
  ]);
  const rows = rowsBy(usage, 'key');
  assert.deepEqual(
    rows.map(({ name, share }) => [name, share]),
    [
      ['fc-one…', 0.5],
      ['fc-two…', 0.25],
      ['Without a key', 0.25],
    ],
  );
  assert.deepEqual(
    barsOf(usage, rows).series.map(({ label }) => label),
    ['CI', 'CI (2)', 'Without a key'],
  );
});

test('more keys than colours are added up, and rows without credits have no bar', () => {
  const usage = usageOf(
    Array.from({ length: 8 }, (_, index) => ({ key: `fc-${index}`, label: null, ...used([index === 7 ? 0 : 1, 0]) })),
    { otherKeys: used([5, 5]) },
  );
  const rows = rowsBy(usage, 'key');
  assert.equal(rows.length, 9);
  const { series } = barsOf(usage, rows);
  assert.equal(series.length, 6);
  assert.deepEqual([series[5]!.label, series[5]!.values], ['3 others', [7, 5]]);
});

test('operations have names for people, also one that a later version counts', () => {
  const operations = ['batch_scrape', 'future'].map((operation) => ({ operation, ...used([1, 1]) }));
  assert.deepEqual(
    rowsBy(usageOf([], { operations }), 'operation').map(({ name }) => name),
    ['Batch', 'future'],
  );
});
