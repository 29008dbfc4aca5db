// Slots for running requests: limited per team, with a limit for waiting.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConcurrency } from '../../../../src/operations/team/concurrency.ts';
import { systemClock } from '../../../../src/util/clock.ts';

const never = new AbortController().signal;
const asker = (team: string, ms: number) => ({ team, deadline: Date.now() + ms });

test('a scrape reports how long it waited, and what cannot be served in time is refused with Retry-After', async () => {
  const concurrency = createConcurrency(1, systemClock);
  const first = await concurrency.enter(asker('a', 60_000), 'http site.test', never);
  assert.equal(first.waitedMs, 0);
  const second = concurrency.enter(asker('a', 60_000), 'http site.test', never);
  const refused = { code: 'QUEUE_FULL', status: 429, retryAfter: 2 };
  await assert.rejects(concurrency.enter(asker('a', 30), 'http site.test', never), refused);
  first.leave();
  assert.ok((await second).waitedMs > 0);
  assert.deepEqual(concurrency.load('a'), { active: 1, waiting: 0 });
});

test('one team does not wait for another', async () => {
  const concurrency = createConcurrency(1, systemClock);
  await concurrency.enter(asker('a', 60_000), 'http site.test', never);
  assert.equal((await concurrency.enter(asker('b', 60_000), 'http site.test', never)).waitedMs, 0);
});
