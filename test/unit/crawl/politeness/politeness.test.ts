// How many pages of a host may be in flight.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPoliteness, type HostAnswer } from '../../../../src/crawl/politeness/politeness.ts';

const HOST = 'shop.test';

function setUp(options: { own?: boolean; maxHosts?: number } = {}) {
  const clock = { time: 1_000_000, now: () => clock.time };
  const politeness = createPoliteness({
    clock,
    isAllowListed: () => options.own ?? false,
    maxHosts: options.maxHosts,
  });
  /** Takes all slots, then ends all requests with the same answer. */
  const round = (answer: HostAnswer) => {
    const slots = politeness.freeSlots(HOST);
    for (let i = 0; i < slots; i++) politeness.started(HOST);
    for (let i = 0; i < slots; i++) politeness.finished(HOST, answer);
    return slots;
  };
  const rounds = (times: number, answer: HostAnswer) => Array.from({ length: times }, () => round(answer));
  return { clock, politeness, round, rounds };
}

const fine: HostAnswer = { ms: 200, status: 200 };

test('a host starts with two slots, and each request takes one until it ends', () => {
  const { politeness } = setUp();
  assert.equal(politeness.freeSlots(HOST), 2);
  politeness.started(HOST);
  assert.equal(politeness.freeSlots(HOST), 1);
  politeness.started(HOST);
  assert.equal(politeness.freeSlots(HOST), 0);
  assert.equal(politeness.nextSlotAt(HOST), undefined);
  politeness.finished(HOST, fine);
  assert.equal(politeness.freeSlots(HOST), 1);
});

test('each full round of good answers adds a slot, up to eight', () =>
  assert.deepEqual(setUp().rounds(9, fine), [2, 3, 4, 5, 6, 7, 8, 8, 8]));

test('allow-listed hosts have up to sixteen slots', () =>
  assert.equal(setUp({ own: true }).rounds(20, fine).at(-1), 16));

test('a 404 is a good answer; a server error or no answer is not', () => {
  assert.deepEqual(setUp().rounds(3, { ms: 200, status: 404 }), [2, 3, 4]);
  assert.deepEqual(setUp().rounds(3, { ms: 200, status: 500 }), [2, 2, 2]);
  assert.deepEqual(setUp().rounds(3, { ms: 200 }), [2, 2, 2]);
});

test('pages that needed no request do not count', () => assert.deepEqual(setUp().rounds(3, {}), [2, 2, 2]));

test('a host that becomes four times slower loses a slot each round, down to one', () => {
  const { rounds } = setUp();
  rounds(8, fine);
  assert.deepEqual(rounds(10, { ms: 4_000, status: 200 }), [8, 7, 6, 5, 4, 3, 2, 1, 1, 1]);
});

test('answers that take two to four times the floor change nothing', () => {
  const { rounds } = setUp();
  assert.deepEqual(rounds(3, { ms: 1_000, status: 200 }), [2, 3, 4]);
  rounds(4, { ms: 3_000, status: 200 });
  const held = rounds(4, { ms: 3_000, status: 200 });
  assert.equal(new Set(held).size, 1, `${held}`);
  assert.equal(held[0], 5);
});

test('a host that stays slow gets its slots back', () => {
  const { rounds } = setUp();
  rounds(8, fine);
  assert.equal(rounds(500, { ms: 2_000, status: 200 }).at(-1), 8);
});

test('jitter on a fast host is ignored', () => {
  const { rounds } = setUp();
  rounds(8, { ms: 2, status: 200 });
  assert.equal(rounds(5, { ms: 90, status: 200 }).at(-1), 8);
});

test('a fast failure does not make later pages look slow', () => {
  const { rounds } = setUp();
  rounds(2, { ms: 1 });
  assert.deepEqual(rounds(3, { ms: 900, status: 200 }), [2, 3, 4]);
});

test('429 and 503 halve the slots and pause the host until Retry-After', () => {
  for (const status of [429, 503]) {
    const { clock, politeness, rounds } = setUp();
    rounds(6, fine);
    assert.equal(politeness.freeSlots(HOST), 8);
    politeness.started(HOST);
    politeness.finished(HOST, { ms: 10, status, retryAfter: 30_000 });
    assert.equal(politeness.freeSlots(HOST), 0);
    assert.equal(politeness.nextSlotAt(HOST), clock.time + 30_000);
    clock.time += 29_999;
    assert.equal(politeness.freeSlots(HOST), 0);
    clock.time += 1;
    assert.equal(politeness.freeSlots(HOST), 4);
    assert.equal(politeness.nextSlotAt(HOST), undefined);
  }
});

test('requests refused at the same time count as one refusal', () => {
  const { clock, politeness, rounds, round } = setUp();
  rounds(6, fine);
  round({ ms: 10, status: 429 });
  assert.equal(politeness.nextSlotAt(HOST), clock.time + 1_000);
  clock.time += 1_000;
  assert.equal(politeness.freeSlots(HOST), 4);
});

test('Retry-After is capped at five minutes and ignored when invalid', () => {
  for (const [retryAfter, pause] of [
    [86_400_000, 300_000],
    [Number.POSITIVE_INFINITY, 300_000],
    [Number.NaN, 1_000],
    [-5, 1_000],
  ] as const) {
    const { clock, politeness } = setUp();
    politeness.started(HOST);
    politeness.finished(HOST, { status: 429, retryAfter });
    assert.equal(politeness.nextSlotAt(HOST), clock.time + pause);
  }
});

test('without Retry-After the pause doubles from one second to a minute, and a good answer resets it', () => {
  const { clock, politeness, round } = setUp();
  const pauses = Array.from({ length: 8 }, () => {
    round({ ms: 10, status: 503 });
    const pause = politeness.nextSlotAt(HOST)! - clock.time;
    clock.time += pause;
    return pause;
  });
  assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  round(fine);
  round({ ms: 10, status: 503 });
  assert.equal(politeness.nextSlotAt(HOST), clock.time + 1_000);
});

test('a good answer to a request from before the pause does not reset the back-off', () => {
  const { clock, politeness } = setUp();
  for (let i = 0; i < 2; i++) politeness.started(HOST);
  politeness.finished(HOST, { ms: 10, status: 503 });
  politeness.finished(HOST, fine);
  clock.time += 1_000;
  politeness.started(HOST);
  politeness.finished(HOST, { ms: 10, status: 503 });
  assert.equal(politeness.nextSlotAt(HOST), clock.time + 2_000);
});

test('with a crawl delay, requests start one at a time and that far apart', () => {
  const { clock, politeness } = setUp();
  politeness.setCrawlDelay(HOST, 5_000);
  assert.equal(politeness.freeSlots(HOST), 1);
  politeness.started(HOST);
  assert.equal(politeness.nextSlotAt(HOST), undefined);
  clock.time += 2_000;
  politeness.finished(HOST, { ms: 2_000, status: 200 });
  assert.equal(politeness.freeSlots(HOST), 0);
  assert.equal(politeness.nextSlotAt(HOST), clock.time + 3_000);
  clock.time += 3_000;
  assert.equal(politeness.freeSlots(HOST), 1);
  politeness.started(HOST);
  clock.time += 60_000;
  assert.equal(politeness.freeSlots(HOST), 0);
  politeness.finished(HOST, fine);
  politeness.setCrawlDelay(HOST, 0);
  assert.ok(politeness.freeSlots(HOST) > 1);
});

test('a crawl delay counts from when the request was sent, not from when its page was begun', () => {
  const { clock, politeness } = setUp();
  politeness.setCrawlDelay(HOST, 5_000);
  politeness.started(HOST);
  clock.time += 4_000;
  politeness.finished(HOST, { ms: 300, status: 200 });
  assert.equal(politeness.nextSlotAt(HOST), clock.time - 300 + 5_000);
});

test('the longer of pause and crawl delay applies, and a later refusal never shortens a pause', () => {
  const { clock, politeness } = setUp();
  for (let i = 0; i < 2; i++) politeness.started(HOST);
  politeness.finished(HOST, { status: 429, retryAfter: 30_000 });
  politeness.finished(HOST, { status: 429, retryAfter: 1_000 });
  assert.equal(politeness.nextSlotAt(HOST), clock.time + 30_000);
  politeness.setCrawlDelay(HOST, 5_000);
  assert.equal(politeness.nextSlotAt(HOST), clock.time + 30_000);
  politeness.setCrawlDelay(HOST, 50_000);
  assert.equal(politeness.nextSlotAt(HOST), clock.time + 50_000);
});

test('hosts have separate slots', () => {
  const { politeness, rounds } = setUp();
  rounds(6, fine);
  politeness.started(HOST);
  politeness.finished(HOST, { status: 429 });
  assert.equal(politeness.freeSlots('other.test'), 2);
});

test('the least recently used hosts are forgotten, unless they are paused or have requests in flight', () => {
  const { clock, politeness, rounds } = setUp({ maxHosts: 10 });
  rounds(6, fine);
  politeness.started('busy.test');
  politeness.started('paused.test');
  politeness.finished('paused.test', { status: 429, retryAfter: 60_000 });
  for (let i = 0; i < 50; i++) {
    politeness.started(`${i}.test`);
    politeness.finished(`${i}.test`, fine);
    clock.time += 1;
  }
  assert.equal(politeness.freeSlots(HOST), 2);
  assert.equal(politeness.freeSlots('busy.test'), 1);
  assert.equal(politeness.freeSlots('paused.test'), 0);
});

test('what is known about a host can be shown, and nothing is said of one that was never asked', () => {
  const { clock, politeness, round } = setUp();
  assert.equal(politeness.describe(HOST), undefined);
  round(fine);
  assert.deepEqual(politeness.describe(HOST), { slots: 3, crawlDelayMs: 0, pauses: 0, averageMs: 200 });
  round({ status: 429, retryAfter: 5_000 });
  const refused = { slots: 1, crawlDelayMs: 0, pauses: 1, averageMs: 200 };
  assert.deepEqual(politeness.describe(HOST), { ...refused, pausedUntil: clock.time + 5_000 });
  clock.time += 5_000;
  assert.deepEqual(politeness.describe(HOST), refused);
  politeness.setCrawlDelay(HOST, 2_000);
  assert.deepEqual(politeness.describe(HOST), { ...refused, crawlDelayMs: 2_000 });
  const another = setUp();
  another.clock.time = clock.time;
  assert.deepEqual(another.politeness.describe(HOST, politeness.remember(HOST)), politeness.describe(HOST));
});
