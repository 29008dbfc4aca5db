// The circuit breaker, with a clock that the test turns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCircuitBreaker } from '../../../../src/search/federation/circuit-breaker.ts';

function setUp() {
  let time = 1_000_000;
  const breaker = createCircuitBreaker({ now: () => time });
  const pass = (ms: number) => {
    time += ms;
  };
  /** How long it stays open from now on. */
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

test('whoever has never worked is left alone after the first failure', () => {
  const { breaker, pass } = setUp();
  assert.equal(breaker.enter(), 'closed');
  breaker.failed();
  assert.equal(breaker.enter(), 'open');
  pass(9_999);
  assert.equal(breaker.enter(), 'open');
});

test('whoever has worked may fail twice; the third failure in a row opens it, and a success between starts over', () => {
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

test('after the pause exactly one may try; its success closes the circuit for all', () => {
  const { breaker, pass } = setUp();
  breaker.failed();
  pass(10_000);
  assert.deepEqual([breaker.enter(), breaker.enter(), breaker.enter()], ['trial', 'open', 'open']);
  breaker.succeeded();
  assert.deepEqual([breaker.enter(), breaker.enter()], ['closed', 'closed']);
});

test('each trial that fails doubles the pause, up to five minutes; a success makes it short again', () => {
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

test('requests that were under way together count as one failure once it is open', () => {
  const { breaker, pauseOf } = setUp();
  for (let n = 0; n < 20; n++) breaker.failed();
  assert.equal(pauseOf(), 10_000);
});

test('a trial of which nobody hears again is followed by another one', () => {
  const { breaker, pass } = setUp();
  breaker.failed();
  pass(10_000);
  assert.equal(breaker.enter(), 'trial');
  pass(9_999);
  assert.equal(breaker.enter(), 'open');
  pass(1);
  assert.equal(breaker.enter(), 'trial');
});

test('a wait that the other side asks for opens it at once and is kept, but never makes the pause shorter', () => {
  const { breaker, pauseOf } = setUp();
  breaker.succeeded();
  breaker.failed(120_000);
  assert.equal(pauseOf(), 120_000);
  breaker.succeeded();
  breaker.failed(1_000);
  assert.equal(pauseOf(), 10_000);
});
