// The stream of audit events with the real store: order, retries without end, restarts, and a collector that changes.

import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type { ShownAuditEvent } from '../../../../src/contracts/team/audit.ts';
import { auditTarget } from '../../../../src/contracts/team/audit-target.ts';
import { createSiemCall } from '../../../../src/jobs/siem/siem-call.ts';
import { createSiemStream } from '../../../../src/jobs/siem/siem-stream.ts';
import { override } from '../../../../src/runtime/threads/thread.ts';
import type { Store } from '../../../../src/store/ports/store.ts';
import type { SiemSettings } from '../../../../src/store/ports/teams/siem-store.ts';
import { MINUTE, START } from '../../../conformance/samples.ts';
import { createTestClock, type TestClock } from '../../../support/test-clock.ts';
import { readReceived } from '../../../support/web/hooks.ts';
import { startWeb, type Web } from '../../../support/web.ts';
import { openEgress } from '../../net/local.ts';
import { openTemporaryStore } from '../../store/temporary-folder.ts';
import { until } from '../webhooks/webhook-jobs.ts';

let web: Web;
before(async () => {
  web = await startWeb();
});
after(() => web.stop());

const SECOND = 1_000;
const hook = (path: string) => web.url('hooks.test', path);

async function openTeam(t: TestContext, store: Store) {
  const { id: teamId } = await store.teams.ensureTeam('team', START);
  const event = (target: string, action: 'key.created' | 'siem.changed' = 'key.created') => ({
    ...{ at: START, teamId, actor: 'operator', action, target: auditTarget(target) },
  });
  const settings = (url: string): SiemSettings => ({ url, headers: {}, events: [] });
  return {
    sendTo: (url: string) =>
      store.siem.write({ isEnabled: true, settings: settings(url) }, event('set', 'siem.changed')),
    add: (...targets: string[]) => store.audit.addAll(targets.map((target) => event(target))),
    state: async () => (await store.siem.read(teamId))!,
    open: (clock: TestClock, limitMs?: number) => {
      const lines: object[] = [];
      let settled = 0;
      const siem = override(store.siem, {
        async settle(...batch) {
          await store.siem.settle(...batch);
          settled += 1;
        },
      });
      const egress = openEgress(t, { dnsServers: [web.dns.address] });
      const stream = createSiemStream({
        ...{ siem, health: store.health, clock, call: createSiemCall({ egress, limitMs }) },
        log: { warn: (line: object) => lines.push(line), error: (line: object) => lines.push(line) } as never,
      });
      t.after(() => stream.close());
      return { ...stream, lines, settled: () => settled };
    },
  };
}

/** The targets of the events of each call. */
async function callsAt(name: string): Promise<string[]> {
  const targetOf = (line: string) => (JSON.parse(line) as ShownAuditEvent).target;
  return (await readReceived(web, name)).map(({ body }) => body.trim().split('\n').map(targetOf).join(' '));
}

test('what happens within a second arrives together, and later events after it', async (t) => {
  const { store } = await openTemporaryStore(t);
  const { sendTo, add, state, open } = await openTeam(t, store);
  const clock = createTestClock();
  await sendTo(hook('/hook/batched'));
  await add('1', '2');
  const { wake } = open(clock);
  wake();
  await until(async () => (await state()).backlog === 0);
  await add('3');
  await add('4');
  clock.set(START + SECOND);
  await until(async () => (await state()).backlog === 0);
  assert.deepEqual(await callsAt('batched'), ['set 1 2', '3 4']);
});

test('a collector that fails for days gets everything in the end, in order, and later events wait', async (t) => {
  const { store } = await openTemporaryStore(t);
  const { sendTo, add, state, open } = await openTeam(t, store);
  const clock = createTestClock();
  await sendTo(hook('/flaky/days/7'));
  const { wake, lines, settled } = open(clock);
  wake();
  for (let attempt = 1; attempt <= 7; attempt++) {
    // A clock that is set before the failure is written would end the lease of what is still being sent.
    await until(async () => settled() === attempt);
    assert.ok(lines.length === attempt && (await state()).lastError !== undefined);
    await add(`${attempt}`);
    // Longer than the longest pause.
    await until(async () => (await store.siem.nextAt())! < clock.now() + 10 * MINUTE);
    clock.set(clock.now() + 10 * MINUTE);
  }
  await until(async () => (await state()).backlog === 0);
  const calls = await callsAt('days');
  assert.equal(calls.length, 8);
  assert.equal(calls.at(-1), 'set 1 2 3 4 5 6 7');
  const { lastDeliveredAt, lastError, failingSince } = await state();
  assert.deepEqual([lastError, failingSince], [undefined, undefined]);
  assert.ok(lastDeliveredAt! > START);
  assert.deepEqual(lines[0], { team: 'team', events: 1, reason: 'The receiver answered with status 500.' });
});

test('a collector that does not answer is a failure with a reason', async (t) => {
  const { store } = await openTemporaryStore(t);
  const { sendTo, state, open } = await openTeam(t, store);
  await sendTo(hook('/slow/mute-siem'));
  const { wake } = open(createTestClock(), 50);
  wake();
  await until(async () => (await state()).lastError !== undefined);
  const { lastError, failingSince, backlog } = await state();
  assert.deepEqual(
    [lastError, failingSince, backlog],
    ['The receiver did not answer within the time limit.', START, 1],
  );
});

test('what was being sent when the service ended is sent again after the next start', async (t) => {
  const { store, dataDir } = await openTemporaryStore(t);
  const first = await openTeam(t, store);
  await first.sendTo(hook('/slow/ended'));
  const before = first.open(createTestClock());
  before.wake();
  await until(async () => (await callsAt('ended')).length === 1);
  await before.close();
  assert.deepEqual(before.lines, []);
  await store.close();
  const again = (await openTemporaryStore(t, { dataDir })).store;
  const second = await openTeam(t, again);
  second.open(createTestClock()).wake();
  await until(async () => (await callsAt('ended')).length === 2);
  assert.deepEqual(await callsAt('ended'), ['set', 'set']);
});

test('a collector that is replaced while a batch is on its way gets all later events', async (t) => {
  const { store } = await openTemporaryStore(t);
  const { sendTo, add, state, open } = await openTeam(t, store);
  await sendTo(hook('/slow/replaced'));
  const clock = createTestClock();
  const { wake } = open(clock, 2_000);
  wake();
  await until(async () => (await callsAt('replaced')).length === 1);
  await add('1');
  await sendTo(hook('/hook/replacing'));
  wake();
  await until(async () => {
    clock.set(clock.now() + MINUTE);
    return (await state()).backlog === 0;
  });
  assert.equal((await callsAt('replacing')).join(' '), 'set 1 set');
});

test('without a stream nothing is looked at, and a stream is looked at once a second', async (t) => {
  const { store } = await openTemporaryStore(t);
  const { sendTo, add, state, open } = await openTeam(t, store);
  const clock = createTestClock();
  const { wake } = open(clock);
  assert.equal(await store.siem.nextAt(), undefined);
  await sendTo(hook('/hook/looked'));
  wake();
  await until(async () => (await state()).backlog === 0);
  // Written by another process: nobody calls `wake`.
  await add('1');
  await until(async () => {
    clock.set(clock.now() + SECOND);
    return (await state()).backlog === 0;
  });
  assert.deepEqual(await callsAt('looked'), ['set', '1']);
});
