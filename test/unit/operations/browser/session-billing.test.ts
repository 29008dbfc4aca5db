import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTask } from 'node:timers/promises';
import { createSessionBilling } from '../../../../src/operations/browser/session-billing.ts';
import type { Caller } from '../../../../src/operations/caller.ts';
import type { BrowserSession } from '../../../../src/sessions/session.ts';
import { createLog } from '../../../../src/util/log.ts';

const caller = { team: { id: 'own' }, key: { id: 'k' } } as unknown as Caller;

function start() {
  const credits: number[] = [];
  const ended = new AbortController();
  let now = 1_000_000;
  let wake = () => {};
  let isBroken = false;
  const billing = createSessionBilling({
    ledger: {
      async add(charge) {
        if (isBroken) throw new Error('disk full');
        credits.push(charge.credits);
      },
    } as Parameters<typeof createSessionBilling>[0]['ledger'],
    clock: {
      now: () => now,
      sleep: (_ms, signal) =>
        new Promise<void>((resolve, reject) => {
          wake = resolve;
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    },
    log: createLog('silent'),
  });
  const session = { id: 's', createdAt: now, ended: ended.signal } as unknown as BrowserSession;
  return {
    billing,
    session,
    credits,
    break: (broken: boolean) => {
      isBroken = broken;
    },
    async pass(minutes: number) {
      for (let left = minutes; left > 0; left -= 1) {
        now += 60_000;
        wake();
        await nextTask();
      }
    },
    async end(durationMs: number) {
      ended.abort();
      await billing.end(session, durationMs);
    },
  };
}

test('a session is billed minute by minute, so that a killed service loses at most one', async () => {
  const { billing, session, credits, pass, end } = start();
  await billing.open(session, caller, { operation: 'browser', judge: undefined });
  assert.deepEqual(credits, [2]);
  await pass(3);
  assert.deepEqual(credits, [2, 2, 2]);
  await end(200_000);
  assert.deepEqual(credits, [2, 2, 2, 1]);
  await pass(5);
  assert.equal(credits.length, 4);
});

test('minutes that could not be written are billed later, and none twice', async () => {
  const stage = start();
  await stage.billing.open(stage.session, caller, { operation: 'browser', judge: undefined });
  stage.break(true);
  await stage.pass(3);
  stage.break(false);
  await stage.pass(1);
  assert.deepEqual(stage.credits, [2, 6]);
  await stage.end(240_000);
  assert.deepEqual(stage.credits, [2, 6]);
});

test('once a prompt ran, the whole session costs more', async () => {
  const { billing, session, credits, pass, end } = start();
  await billing.open(session, caller, { operation: 'interact', judge: undefined });
  await pass(2);
  assert.deepEqual(credits, [2, 2]);
  await billing.usePrompt(session);
  assert.deepEqual(credits, [2, 2, 10]);
  await billing.usePrompt(session);
  await pass(1);
  assert.deepEqual(credits, [2, 2, 10, 7]);
  assert.equal(billing.credits(session, 180_000), 21);
  await end(180_000);
  assert.equal(credits.length, 4);
});
