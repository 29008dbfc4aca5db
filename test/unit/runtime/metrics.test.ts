import assert from 'node:assert/strict';
import { test } from 'node:test';
import { METRICS } from '../../../src/contracts/operator/metrics.ts';
import { createMetrics, type Metric } from '../../../src/runtime/metrics.ts';
import { metricValue, readMetrics } from '../../support/prometheus.ts';

const TABLE = {
  pages_total: { type: 'counter', help: 'Pages', labels: { source: ['web', 'a "quoted" \\ value\n'] } },
  starts_total: { type: 'counter', help: 'A help with a \\ and a\nline break' },
  open_pages: { type: 'gauge', help: 'Open pages', labels: { state: ['on', 'off'] } },
  wait_seconds: { type: 'histogram', help: 'Waits', labels: { kind: ['slot'] }, buckets: [0.1, 1, 10] },
} as const satisfies Record<string, Metric>;

test('the text is valid, with escaped help texts and label values', async () => {
  const metrics = createMetrics(TABLE);
  metrics.count('pages_total', { source: 'web' });
  metrics.count('pages_total', { source: 'web' });
  metrics.count('pages_total', { source: 'a "quoted" \\ value\n' });
  metrics.sample((set) => set('open_pages', 3, { state: 'on' }));
  const read = readMetrics(await metrics.text());
  assert.deepEqual([...read.keys()], Object.keys(TABLE));
  assert.equal(metricValue(read, 'pages_total', { source: 'web' }), 2);
  assert.equal(metricValue(read, 'pages_total', { source: 'a "quoted" \\ value\n' }), 1);
  assert.equal(metricValue(read, 'open_pages', { state: 'on' }), 3);
  assert.deepEqual(read.get('starts_total')!.samples, [{ name: 'starts_total', labels: {}, value: 0 }]);
});

test('a histogram counts each value in its bucket and all wider ones', async () => {
  const metrics = createMetrics(TABLE);
  for (const value of [0.1, 0.5, 5, 50]) metrics.observe('wait_seconds', value, { kind: 'slot' });
  const { samples } = readMetrics(await metrics.text()).get('wait_seconds')!;
  assert.deepEqual(
    samples.map(({ name, labels, value }) => [name, labels.le, value]),
    [
      ['wait_seconds_bucket', '0.1', 1],
      ['wait_seconds_bucket', '1', 2],
      ['wait_seconds_bucket', '10', 3],
      ['wait_seconds_bucket', '+Inf', 4],
      ['wait_seconds_sum', undefined, 55.6],
      ['wait_seconds_count', undefined, 4],
    ],
  );
});

test('values that are not in the table never become a series of their own', async () => {
  const metrics = createMetrics(TABLE);
  for (let n = 0; n < 1_000; n++) metrics.count('pages_total', { source: `https://site-${n}.test/` as 'web' });
  const { samples } = readMetrics(await metrics.text()).get('pages_total')!;
  assert.deepEqual(samples, [{ name: 'pages_total', labels: { source: 'other' }, value: 1_000 }]);
});

test('a gauge whose reader fails or hangs is left out, and the others are there', async () => {
  const metrics = createMetrics(TABLE, { sampleMs: 20 });
  metrics.sample(() => Promise.reject(new Error('The store is gone.')));
  metrics.sample((set) => {
    set('open_pages', 1, { state: 'off' });
    return new Promise(() => {});
  });
  metrics.sample((set) => set('open_pages', 2, { state: 'on' }));
  const read = readMetrics(await metrics.text());
  assert.deepEqual(read.get('open_pages')!.samples, [{ name: 'open_pages', labels: { state: 'on' }, value: 2 }]);
});

test('every metric of the service has a conventional name, a help text and few possible series', () => {
  for (const [name, metric] of Object.entries<Metric>(METRICS)) {
    assert.match(name, /^trawl_[a-z]+(?:_[a-z0-9]+)*$/);
    assert.equal(name.endsWith('_total'), metric.type === 'counter', name);
    assert.equal(metric.buckets !== undefined, metric.type === 'histogram', name);
    assert.ok(metric.help.length > 10, name);
    const values = Object.values(metric.labels ?? {});
    const series = values.reduce((product, list) => product * list.length, metric.buckets?.length ?? 1);
    // The time by operation has one series for each operation that was called.
    assert.ok(series <= 3_000, `${name} may have ${series} series.`);
  }
});
