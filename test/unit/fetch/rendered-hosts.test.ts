// Which hosts are remembered as needing a browser, for how long, and how many.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRenderedHosts } from '../../../src/fetch/rendered-hosts.ts';

const DAY = 86_400_000;

test('a host is remembered for a day after it last needed the browser', () => {
  let now = 0;
  const hosts = createRenderedHosts(() => now);
  assert.equal(hosts.has('app.test'), false);
  hosts.add('app.test');
  assert.equal(hosts.has('app.test'), true);
  assert.equal(hosts.has('app.test:8080'), false);
  now = DAY - 1;
  assert.equal(hosts.has('app.test'), true);
  hosts.add('app.test');
  now = 2 * DAY - 2;
  assert.equal(hosts.has('app.test'), true);
  now = 2 * DAY - 1;
  assert.equal(hosts.has('app.test'), false);
});

test('beyond the limit, the host that needed the browser longest ago is forgotten', () => {
  const hosts = createRenderedHosts(() => 0);
  for (let number = 0; number < 10_000; number += 1) hosts.add(`${number}.test`);
  hosts.add('0.test');
  hosts.add('one-more.test');
  assert.deepEqual(
    ['0.test', '1.test', '2.test', 'one-more.test'].map((host) => hosts.has(host)),
    [true, false, true, true],
  );
});
