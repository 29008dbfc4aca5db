// How many calls are under way at once, and who waits for whom.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { OWN_WORK } from '../../../../src/runtime/gate/gate.ts';
import { shareCalls } from '../../../../src/store/calls/shared-calls.ts';

test('the service makes as many own calls at once as the store can take, and callers do not wait for them', async () => {
  const isFree = Promise.withResolvers<void>();
  const underWay: string[] = [];
  const call = async (method: string) => {
    underWay.push(method);
    await isFree.promise;
  };
  const { send, settled } = shareCalls(call, () => 'a team', 5);
  for (let at = 0; at < 8; at++) void send('queue.claim', [], []);
  void send('pages.find', [], []);
  await turn();
  assert.equal(underWay.filter((method) => method === 'queue.claim').length, 5);
  assert.equal(underWay.filter((method) => method === 'pages.find').length, 1);
  isFree.resolve();
  await settled();
  assert.equal(underWay.length, 9);
});

/** A store that answers nothing: what was sent has begun. */
function createSilentStore() {
  const begun: string[] = [];
  const calls = shareCalls(
    (method) => {
      begun.push(method);
      return new Promise(() => {});
    },
    () => OWN_WORK.team,
  );
  return { begun, send: (method: string) => void calls.send(method, [], []) };
}

test('tokens that strangers send hold up neither heartbeats nor anything else', async () => {
  const { begun, send } = createSilentStore();
  for (let count = 0; count < 1_000; count++) send('sessionPlaces.findByToken');
  for (const method of ['processes.renew', 'leases.hold', 'sessionPlaces.opened', 'teams.findByKey']) send(method);
  await turn();
  assert.ok(begun.filter((method) => method === 'sessionPlaces.findByToken').length < 1_000);
  for (const method of ['processes.renew', 'leases.hold', 'sessionPlaces.opened', 'teams.findByKey'])
    assert.ok(begun.includes(method), `${method} waits for strangers`);
});

test('a heartbeat does not wait for the calls of the service itself', async () => {
  const { begun, send } = createSilentStore();
  for (let count = 0; count < 1_000; count++) send('pages.find');
  send('processes.renew');
  await turn();
  assert.ok(begun.includes('processes.renew'));
});
