// The body of a new monitor: pages as arguments, single fields as flags, or all of it from a file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newMonitor } from '../../../../src/cli/monitors/monitor-body.ts';
import { createMonitorRequest } from '../../../../src/contracts/monitor/monitor.ts';

test('pages and a schedule are enough', () => {
  const body = newMonitor({ args: ['example.com/a', 'https://b.example/'], body: {}, flags: { every: '30 minutes' } });
  assert.deepEqual(body, {
    name: 'example.com',
    schedule: { text: 'every 30 minutes' },
    targets: [{ type: 'scrape', urls: ['https://example.com/a', 'https://b.example/'] }],
  });
  assert.ok(createMonitorRequest.safeParse(body).success);
});

test('flags win over the file, and pages are added to its targets', () => {
  const file = { name: 'old', schedule: { cron: '0 9 * * *' }, targets: [{ type: 'crawl', url: 'https://a.example' }] };
  const body = newMonitor({ args: ['b.example'], body: { name: 'new' }, flags: { body: file } });
  assert.equal(body.name, 'new');
  assert.deepEqual(body.schedule, file.schedule);
  assert.equal((body.targets as unknown[]).length, 2);
});

test('without pages or a schedule, one sentence says what is missing', () => {
  assert.throws(() => newMonitor({ args: [], body: {}, flags: { every: 'hour' } }), /Name the pages/);
  assert.throws(() => newMonitor({ args: ['a.example'], body: {}, flags: {} }), /when to check/);
});
