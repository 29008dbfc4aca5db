// The store thread is shared by team: a flood of one team's calls does not delay another's by more than a few.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorkScope } from '../../../../src/runtime/work-scope.ts';
import { openTemporaryStore } from '../temporary-folder.ts';

const FLOOD = 1_000;
/** Calls of the flood that may be in the thread when the other call comes, and some that end meanwhile. */
const FEW = 64;

async function flood(t: Parameters<typeof openTemporaryStore>[0], other: 'team' | 'service') {
  const scope = createWorkScope();
  const { store } = await openTemporaryStore(t, { currentTeam: scope.current });
  let answered = 0;
  const call = () => store.ledger.usage('a', { from: 0, until: 1, binMs: 1 });
  const calls = scope.run('a', () => Array.from({ length: FLOOD }, () => call().then(() => (answered += 1))));
  if (other === 'team') await scope.run('b', call);
  // Started by a request of the same team, but it is the worker's.
  else await scope.run('a', () => store.queue.load('a'));
  const before = answered;
  await Promise.all(calls);
  assert.equal(answered, FLOOD);
  return before;
}

test("another team's call is answered before most of the flood", async (t) => {
  assert.ok((await flood(t, 'team')) <= FEW);
});

test("the service's own calls are, too, whoever caused them", async (t) => {
  assert.ok((await flood(t, 'service')) <= FEW);
});

test('the calls of one team keep their order', async (t) => {
  const { store } = await openTemporaryStore(t);
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 200 }, (_, n) => store.notes.write('n', String(n)).then(() => void order.push(n))),
  );
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  );
  assert.equal(await store.notes.read('n'), '199');
});
