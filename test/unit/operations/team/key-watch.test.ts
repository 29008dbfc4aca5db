import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createKeyWatch } from '../../../../src/operations/team/key-watch.ts';

/** A store in which the test ends keys, and a clock of which the test lets each wait end. */
function setUp() {
  const valid = new Set(['a', 'b']);
  const asked: string[][] = [];
  const ended: string[] = [];
  const sleepers: (() => void)[] = [];
  let isBroken = false;
  const watch = createKeyWatch({
    teams: {
      async findValid(hashes) {
        asked.push([...hashes]);
        if (isBroken) throw new Error('The store cannot be read.');
        return hashes.filter((hash) => valid.has(hash));
      },
    },
    clock: {
      now: () => 0,
      sleep: (_ms, signal) =>
        new Promise((resolve, reject) => {
          sleepers.push(resolve);
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    },
    log: { warn: () => {} },
  });
  const follow = (hash: string | undefined, name: string) => {
    const open = new AbortController();
    watch.follow(hash, () => ended.push(name), open.signal);
    return open;
  };
  const pass = async () => {
    for (const wake of sleepers.splice(0)) wake();
    await turn();
  };
  return { valid, asked, ended, follow, pass, watch, sleepers, breakStore: (to: boolean) => (isBroken = to) };
}

test('what a key has opened ends when the key does, also if another process ended it', async () => {
  const { valid, ended, follow, pass } = setUp();
  follow('a', 'first socket');
  follow('a', 'second socket');
  follow('b', 'socket of another key');
  await pass();
  assert.deepEqual(ended, []);
  valid.delete('a');
  await pass();
  assert.deepEqual(ended, ['first socket', 'second socket']);
  await pass();
  assert.equal(ended.length, 2);
});

test('a change in this process is noticed without a wait', async () => {
  const { valid, ended, follow, watch } = setUp();
  follow('a', 'socket');
  valid.delete('a');
  watch.check();
  await turn();
  assert.deepEqual(ended, ['socket']);
});

test('nothing is asked while nothing is open, and watching begins again with the next connection', async () => {
  const { valid, asked, ended, follow, pass, watch } = setUp();
  watch.check();
  follow(undefined, 'the operator');
  const socket = follow('a', 'socket');
  socket.abort();
  await pass();
  assert.deepEqual(asked, []);
  valid.delete('a');
  follow('a', 'next socket');
  await pass();
  assert.deepEqual([asked, ended], [[['a']], ['next socket']]);
});

test('a connection that opens at the moment the last one closes is watched', async () => {
  const { valid, ended, follow, pass } = setUp();
  follow('a', 'closed').abort();
  follow('b', 'open');
  valid.delete('b');
  await turn();
  await pass();
  assert.deepEqual(ended, ['open']);
});

test('a store that cannot be read ends nothing, and is asked again', async () => {
  const { valid, ended, follow, pass, breakStore } = setUp();
  follow('a', 'socket');
  valid.delete('a');
  breakStore(true);
  await pass();
  assert.deepEqual(ended, []);
  breakStore(false);
  await pass();
  assert.deepEqual(ended, ['socket']);
});
