// The circuit breaker, with a fake clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCircuitBreaker } from '../../../src/runtime/circuit-breaker.ts';

function setUp() {
  let time = 1_000_000;
  const breaker = createCircuitBreaker({ now: () => time });
  const pass = (ms: number) => {
    time += ms;
  };
  /** How long it stays open. */
  const pauseOf = () => {
    let waited = 0;
    while (breaker.enter() === 'open' && waited < 10_000_000) {
      pass(1_000);
      waited += 1_000;
    }
    return waited;
  };
  return { breaker, pass, pauseOf };
}

test('a provider that never worked is paused after its first failure', () => {
  const { breaker, pass } = setUp();
  assert.equal(breaker.enter(), 'closed');
  breaker.failed();
  assert.equal(breaker.enter(), 'open');
  pass(9_999);
  assert.equal(breaker.enter(), 'open');
});

test('a provider that worked is paused after three failures in a row, and a success resets the count', () => {
  const { breaker } = setUp();
  breaker.succeeded();
  for (const failures of [2, 2]) {
    for (let n = 0; n < failures; n++) breaker.failed();
    assert.equal(breaker.enter(), 'closed');
    breaker.succeeded();
  }
  for (let n = 0; n < 3; n++) breaker.failed();
  assert.equal(breaker.enter(), 'open');
});

test('after the pause a single trial is allowed, and its success closes the circuit', () => {
  const { breaker, pass } = setUp();
  breaker.failed();
  pass(10_000);
  assert.deepEqual([breaker.enter(), breaker.enter(), breaker.enter()], ['trial', 'open', 'open']);
  breaker.succeeded();
  assert.deepEqual([breaker.enter(), breaker.enter()], ['closed', 'closed']);
});

test('each failed trial doubles the pause, up to five minutes; a success resets it', () => {
  const { breaker, pauseOf } = setUp();
  const pauses: number[] = [];
  for (let n = 0; n < 8; n++) {
    breaker.failed();
    pauses.push(pauseOf() / 1000);
  }
  assert.deepEqual(pauses, [10, 20, 40, 80, 160, 300, 300, 300]);
  breaker.succeeded();
  for (let n = 0; n < 3; n++) breaker.failed();
  assert.equal(pauseOf(), 10_000);
});

test('requests that fail together count as one failure once the circuit is open', () => {
  const { breaker, pauseOf } = setUp();
  for (let n = 0; n < 20; n++) breaker.failed();
  assert.equal(pauseOf(), 10_000);
});

test('a trial without an outcome is followed by another one', () => {
  const { breaker, pass } = setUp();
  breaker.failed();
  pass(10_000);
  assert.equal(breaker.enter(), 'trial');
  pass(9_999);
  assert.equal(breaker.enter(), 'open');
  pass(1);
  assert.equal(breaker.enter(), 'trial');
});

test('a requested wait opens the circuit at once, and never shortens the pause', () => {
  const { breaker, pauseOf } = setUp();
  breaker.succeeded();
  breaker.failed(120_000);
  assert.equal(pauseOf(), 120_000);
  breaker.succeeded();
  breaker.failed(1_000);
  assert.equal(pauseOf(), 10_000);
});
