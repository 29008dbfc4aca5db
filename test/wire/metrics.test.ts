// The metrics of a running service: what is done and refused is counted, and nothing in them names a site or a caller.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { METRICS } from '../../src/contracts/operator/metrics.ts';
import { metricValue, readMetrics } from '../support/prometheus.ts';
import { useOwnService } from '../support/use-service.ts';

const scene = useOwnService();

async function metrics() {
  const response = await fetch(new URL('/metrics', scene.service.url));
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  const text = await response.text();
  return { text, read: readMetrics(text) };
}

test('requests, pages, refusals, jobs and the state of the service are measured', async () => {
  const { service, web } = scene;
  const url = web.url('blog.test', '/');
  assert.equal((await service.scrape({ url })).status, 200);
  assert.equal((await service.scrape({ url })).status, 200);
  assert.equal((await service.scrape({ url: 'http://10.0.0.1/secret-path' })).status, 403);
  assert.equal((await service.scrape({ url: 'ftp://files.test/' })).status, 400);
  assert.equal((await fetch(`${service.url}/v2/scrape/x`, { headers: { authorization: 'Bearer fc-no' } })).status, 401);
  const started = await service.post<{ id: string }>('/v2/batch/scrape', { urls: [url], ignoreInvalidURLs: true });
  assert.equal(started.status, 200);
  let found = await metrics();
  while (metricValue(found.read, 'trawl_job_pages_total', { outcome: 'done' }) === 0) found = await metrics();

  const { text, read } = found;
  assert.deepEqual([...read.keys()], Object.keys(METRICS));
  const value = (name: string, labels?: Record<string, string>) => metricValue(read, name, labels);
  assert.equal(value('trawl_ready'), 1);
  assert.equal(value('trawl_requests_total', { operation: 'scrape', status: '2xx' }), 2);
  assert.equal(value('trawl_requests_total', { operation: 'scrape', status: '4xx' }), 2);
  assert.equal(value('trawl_request_seconds_count', { operation: 'scrape' }), 4);
  assert.equal(value('trawl_pages_total', { source: 'http' }), 1);
  assert.equal(value('trawl_pages_total', { source: 'cache' }), 2);
  assert.equal(value('trawl_cache_lookups_total', { result: 'hit' }), 2);
  assert.equal(value('trawl_refusals_total', { rule: 'egress_address' }), 1);
  assert.equal(value('trawl_refusals_total', { rule: 'UNAUTHORIZED' }), 1);
  assert.equal(value('trawl_errors_total', { code: 'UNSUPPORTED_SITE' }), 1);
  assert.equal(value('trawl_engine_seconds_count', { engine: 'http', outcome: 'ok' }), 1);
  assert.ok(value('trawl_memory_bytes', { kind: 'rss' }) > 10_000_000);
  assert.ok(value('trawl_cache_bytes') > 0);
  assert.ok(value('trawl_store_bytes') > 0);
  for (const [name, { samples }] of read) {
    if (METRICS[name as keyof typeof METRICS].type === 'gauge') assert.ok(samples.length > 0, `${name} was not read.`);
  }
  for (const secret of ['blog.test', '10.0.0.1', 'secret-path', service.key, 'default']) {
    assert.ok(!text.includes(secret), `The metrics contain ${secret}.`);
  }
});
