import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createServiceClock, readSavedTime, type SavedTime } from '../../../src/runtime/service-clock.ts';
import { runs, seedOr } from '../../support/runs.ts';

const SEED = seedOr(20_261_116);
const START = Date.UTC(2031, 4, 1);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A machine whose clocks are turned by hand. */
function createMachine() {
  let [wall, ticks, up, boot] = [START, 500, 3 * DAY, 'first'];
  return {
    sources: { wall: () => wall, ticks: () => ticks, uptime: () => ({ ms: up, boot }) },
    get wall() {
      return wall;
    },
    pass(ms: number) {
      wall += ms;
      ticks += ms;
      up += ms;
    },
    /** Somebody sets the clock. */
    jump(ms: number) {
      wall += ms;
    },
    /** The ticks stand still. */
    sleep(ms: number) {
      wall += ms;
      up += ms;
    },
    /** Another start of the machine, which was off for that time. */
    reboot(ms: number) {
      wall += ms;
      [ticks, up, boot] = [0, 20_000, 'second'];
    },
  };
}

test('it shows the time of the wall clock while nobody sets that', () => {
  const machine = createMachine();
  const clock = createServiceClock(machine.sources);
  for (const ms of [1, 7, 900, HOUR, 30 * DAY]) {
    machine.pass(ms);
    assert.equal(clock.now(), machine.wall);
  }
});

for (const [name, jump] of [
  ['a day forward', DAY],
  ['a day back', -DAY],
  ['a week forward', 7 * DAY],
] as const) {
  test(`${name} while it runs: an hour stays an hour, within a tenth, until both agree again`, () => {
    const machine = createMachine();
    const clock = createServiceClock(machine.sources);
    machine.jump(jump);
    assert.equal(clock.now(), START);
    machine.pass(HOUR);
    assert.equal(clock.now(), START + HOUR * (jump > 0 ? 1.1 : 0.9));
    assert.ok(Math.abs(clock.offset()) > Math.abs(jump) * 0.95);
    for (let hours = 0; hours < (Math.abs(jump) / HOUR) * 11; hours += 1) {
      machine.pass(HOUR);
      clock.now();
    }
    assert.equal(clock.now(), machine.wall);
  });

  test(`${name} between two processes: the time that has passed is known from the machine`, () => {
    const machine = createMachine();
    const saved = createServiceClock(machine.sources).save();
    machine.pass(5 * MINUTE);
    machine.jump(jump);
    const clock = createServiceClock(machine.sources, JSON.parse(JSON.stringify(saved)) as SavedTime);
    assert.equal(clock.now(), START + 5 * MINUTE);
  });
}

test('time that the machine slept counts', () => {
  const machine = createMachine();
  const clock = createServiceClock(machine.sources);
  machine.sleep(8 * HOUR);
  machine.pass(1_000);
  assert.equal(clock.now(), machine.wall);
});

test('after a restart of the machine its wall clock is right, but time does not go back', () => {
  const machine = createMachine();
  const saved = createServiceClock(machine.sources).save();
  machine.reboot(3 * HOUR);
  assert.equal(createServiceClock(machine.sources, saved).now(), START + 3 * HOUR);
  machine.jump(-DAY);
  assert.equal(createServiceClock(machine.sources, saved).now(), START);
});

test('a clock that was never set is believed as soon as it is', () => {
  const machine = createMachine();
  machine.jump(-START);
  const clock = createServiceClock(machine.sources);
  assert.equal(clock.now(), 0);
  machine.jump(START);
  machine.pass(1);
  assert.equal(clock.now(), START + 1);
  const saved = { time: 5_000, uptimeMs: 3 * DAY, boot: 'first' };
  assert.equal(createServiceClock(machine.sources, saved).now(), machine.wall);
});

test(`no sequence of jumps makes it go back, or run more than a tenth too fast or too slow (seed ${SEED})`, () => {
  const jump = fc.record({ jump: fc.integer({ min: -DAY, max: DAY }), pass: fc.integer({ min: 0, max: HOUR }) });
  const property = fc.property(fc.array(fc.tuple(jump, fc.boolean()), { maxLength: 6 }), (events) => {
    const machine = createMachine();
    let clock = createServiceClock(machine.sources);
    let before = clock.now();
    for (const [{ jump: ms, pass }, restarts] of events) {
      machine.jump(ms);
      machine.pass(pass);
      if (restarts) clock = createServiceClock(machine.sources, readSavedTime(JSON.stringify(clock.save())));
      const now = clock.now();
      assert.ok(
        now - before >= Math.floor(pass * 0.9) - 1 && now - before <= pass * 1.1 + 1,
        `${pass}: ${now - before}`,
      );
      before = now;
    }
  });
  fc.assert(property, { seed: SEED, numRuns: runs(300, 10_000) });
});

test('notes that cannot be read are ignored', () => {
  for (const text of [undefined, '', '{', 'null', '[]', '{"time":"now"}', '{"time":1e300}']) {
    assert.equal(readSavedTime(text), undefined, text);
  }
  assert.deepEqual(readSavedTime('{"time":5,"uptimeMs":null,"boot":7}'), { time: 5 });
});
