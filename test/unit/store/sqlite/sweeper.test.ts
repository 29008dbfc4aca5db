// Sweeping in rounds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Remover } from '../../../../src/store/sql/database.ts';
import { createSweeper } from '../../../../src/store/sqlite/sweeper.ts';

/** Simulates a number of entries and records what each round was asked to remove. */
function createPile(entries: number) {
  const asked: [now: number, limit: number][] = [];
  let left = entries;
  const remove: Remover = (now, limit) => {
    asked.push([now, limit]);
    const removed = Math.min(left, limit);
    left -= removed;
    return removed;
  };
  return { remove, asked, left: () => left };
}

test('a sweep runs until everything is removed', async () => {
  const piles = [createPile(950), createPile(0), createPile(30)];
  await createSweeper(piles.map(({ remove }) => remove)).sweep(7);
  assert.deepEqual(
    piles.map((pile) => pile.left()),
    [0, 0, 0],
  );
  assert.ok(piles[0]!.asked.length > 5);
  assert.ok(piles[0]!.asked.every(([now]) => now === 7));
});

test('other work runs between two rounds', async () => {
  const pile = createPile(1000);
  const sweeping = createSweeper([pile.remove]).sweep(0);
  await setImmediate();
  await setImmediate();
  assert.ok(pile.left() > 0 && pile.left() < 1000, `${pile.left()} left`);
  await sweeping;
  assert.equal(pile.left(), 0);
});

test('one call does a bounded amount of work, and the next one continues', async () => {
  const pile = createPile(10_000_000);
  const { sweep } = createSweeper([pile.remove]);
  await sweep(0);
  const left = pile.left();
  assert.ok(left > 5_000_000, `${left} left`);
  await sweep(0);
  assert.ok(pile.left() < left);
});

test('a second sweep waits for the first, even when that one fails', async () => {
  let calls = 0;
  const { sweep } = createSweeper([
    () => {
      calls += 1;
      if (calls === 1) throw new Error('disk trouble');
      return 0;
    },
  ]);
  const [first, second] = await Promise.allSettled([sweep(0), sweep(0)]);
  assert.deepEqual([first.status, second.status], ['rejected', 'fulfilled']);
});

test('no round starts after a stop', async () => {
  const pile = createPile(1_000_000);
  const { sweep, stop } = createSweeper([pile.remove]);
  const sweeps = [sweep(0), sweep(0)];
  await setImmediate();
  const rounds = pile.asked.length;
  await stop();
  await Promise.all(sweeps);
  assert.equal(pile.asked.length, rounds);
});
