// The history of metrics: rates from counters, latencies from buckets, and a store that is left alone while nothing happens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { METRICS } from '../../../../src/contracts/operator/metrics.ts';
import {
  createMetricsHistory,
  type HistoryGauges,
  quantileOf,
} from '../../../../src/operations/operator/metrics-history.ts';
import { createMetrics } from '../../../../src/runtime/metrics.ts';

function start() {
  let now = 1_000_000;
  const metrics = createMetrics(METRICS);
  const history = createMetricsHistory({ metrics, clock: { now: () => now } });
  const asked = { backlog: 0, waiting: 0, cpu: 5 };
  const gauges: HistoryGauges = {
    ofProcess(set) {
      set('trawl_memory_bytes', 123_000_000, { kind: 'rss' });
      set('trawl_cpu_seconds', asked.cpu);
      set('trawl_browser_pages', 2);
    },
    async ofBacklog(set) {
      asked.backlog += 1;
      set('trawl_queue_pages', asked.waiting, { state: 'waiting' });
      set('trawl_queue_pages', 0, { state: 'running' });
      set('trawl_jobs_unfinished', asked.waiting > 0 ? 1 : 0);
      set('trawl_runs_unfinished', 0);
    },
  };
  const next = async () => {
    now += 10_000;
    await history.sample(gauges);
    const { at, series } = history.read(now - 1);
    assert.deepEqual(at, [now]);
    return Object.fromEntries(Object.entries(series).map(([name, [value]]) => [name, value]));
  };
  return { metrics, history, gauges, asked, next };
}

test('rates are differences by time, by what became of requests and pages', async () => {
  const { metrics, next, asked } = start();
  for (let count = 0; count < 20; count++) {
    metrics.count('trawl_requests_total', { operation: 'scrape', status: count < 15 ? '2xx' : '5xx' });
    metrics.count('trawl_pages_total', { source: count < 10 ? 'http' : 'failed' });
  }
  metrics.count('trawl_requests_total', { operation: 'search', status: '4xx' });
  asked.cpu = 5;
  const first = await next();
  assert.deepEqual(
    [first.requests, first.failed, first.refused, first.pages, first.failedPages],
    [2.1, 0.5, 0.1, 1, 1],
  );
  assert.deepEqual([first.rssBytes, first.browserPages, first.cpu], [123_000_000, 2, null]);
  asked.cpu = 10;
  const second = await next();
  assert.deepEqual([second.requests, second.pages, second.cpu], [0, 0, 0.5]);
});

test('latencies are those of the time since the last sample, by kind, and null without requests', async () => {
  const { metrics, next } = start();
  for (let count = 0; count < 100; count++) {
    metrics.observe('trawl_request_seconds', count < 90 ? 0.2 : 4, { operation: 'scrape' });
  }
  metrics.observe('trawl_request_seconds', 0.001, { operation: 'me' });
  const first = await next();
  assert.ok(first.scrapeP50! > 0.1 && first.scrapeP50! <= 0.25, String(first.scrapeP50));
  assert.ok(first.scrapeP95! > 2.5 && first.scrapeP95! <= 5, String(first.scrapeP95));
  assert.ok(first.otherP50! <= 0.005);
  assert.equal(first.searchP50, null);
  const second = await next();
  assert.deepEqual([second.scrapeP50, second.otherP95], [null, null]);
});

test('the store is asked only while there is or was something to do', async () => {
  const { metrics, next, asked } = start();
  await next();
  assert.equal(asked.backlog, 1);
  await next();
  await next();
  assert.equal(asked.backlog, 1);
  metrics.count('trawl_requests_total', { operation: 'crawl', status: '2xx' });
  asked.waiting = 7;
  assert.equal((await next()).waitingPages, 7);
  asked.waiting = 0;
  assert.equal((await next()).waitingPages, 0);
  await next();
  assert.equal(asked.backlog, 3);
});

test('a store that cannot be read costs one sample, and the next one is taken', async () => {
  const { history, gauges, metrics } = start();
  await history.sample({ ...gauges, ofBacklog: () => Promise.reject(new Error('closed')) });
  assert.deepEqual(history.read(0).at, []);
  metrics.count('trawl_requests_total', { operation: 'scrape', status: '2xx' });
  await history.sample(gauges);
  assert.equal(history.read(0).at.length, 1);
});

test('quantiles are within their bucket, and the last bound is the largest answer', () => {
  const bounds = [1, 2, 4];
  assert.equal(quantileOf([0, 0, 0, 0], bounds, 0.5), Number.NaN);
  assert.equal(quantileOf([4, 0, 0, 0], bounds, 0.5), 0.5);
  assert.equal(quantileOf([0, 0, 2, 0], bounds, 1), 4);
  assert.equal(quantileOf([1, 0, 0, 9], bounds, 0.95), 4);
});
