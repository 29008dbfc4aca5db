// Turns of searches: who waits for whom.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSearchTurns } from '../../../src/index/search-turns.ts';

test('searches that arrive together have a turn of the event loop each, in order', async () => {
  const turns = createSearchTurns();
  let turn = 0;
  const count = () => {
    turn += 1;
    if (turn < 10) setImmediate(count);
  };
  setImmediate(count);
  const answered: [name: string, turn: number][] = [];
  const search = async (name: string) => {
    await turns.mine();
    answered.push([name, turn]);
  };
  await Promise.all(['first', 'second', 'third'].map(search));
  assert.deepEqual(
    answered.map(([name]) => name),
    ['first', 'second', 'third'],
  );
  assert.equal(new Set(answered.map(([, at]) => at)).size, 3);
});

test('other work goes on after the searches that wait, though not after endless ones', async () => {
  const turns = createSearchTurns();
  let answered = 0;
  const search = async () => {
    await turns.mine();
    answered += 1;
  };
  const some = Promise.all(Array.from({ length: 5 }, search));
  await turns.free();
  assert.equal(answered, 5);
  await some;

  answered = 0;
  const many = Promise.all(Array.from({ length: 60 }, search));
  await turns.free();
  assert.ok(answered < 60, `${answered} searches`);
  await many;
  assert.equal(answered, 60);
});
