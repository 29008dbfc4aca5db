// Work that arrives at once is shared out over turns of the event loop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { createTurns } from '../../../../src/runtime/threads/turns.ts';

const SLICE_MS = 4;

function createWork() {
  const done: string[] = [];
  const work = (name: string) => () => {
    done.push(name);
    const began = performance.now();
    while (performance.now() - began < SLICE_MS);
  };
  return { done, work };
}

test('after a slice of work everything else has its turn, and the order stays', async () => {
  const { done, work } = createWork();
  const takeTurn = createTurns(SLICE_MS);
  for (const name of ['a', 'b', 'c']) takeTurn(work(name));
  assert.deepEqual(done, ['a']);
  await turn();
  takeTurn(work('d'));
  assert.deepEqual(done, ['a', 'b']);
  while (done.length < 4) await turn();
  assert.deepEqual(done, ['a', 'b', 'c', 'd']);
});

test('what comes after a rest is done at once', async () => {
  const { done, work } = createWork();
  const takeTurn = createTurns(SLICE_MS);
  takeTurn(work('a'));
  const { idleTime } = performance.nodeTiming;
  while (performance.nodeTiming.idleTime === idleTime) await sleep(1);
  takeTurn(work('b'));
  assert.deepEqual(done, ['a', 'b']);
});

test('what a piece of work goes on with counts as its time', async () => {
  const { done, work } = createWork();
  const takeTurn = createTurns(SLICE_MS);
  const goOn = async () => {
    await new Promise<void>(takeTurn);
    work('a')();
  };
  setImmediate(() => void goOn());
  setImmediate(() => takeTurn(work('b')));
  await turn();
  assert.deepEqual(done, ['a']);
  while (done.length < 2) await turn();
  assert.deepEqual(done, ['a', 'b']);
});
