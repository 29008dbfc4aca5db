import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTask } from 'node:timers/promises';
import { createSessionBilling } from '../../../../src/operations/browser/session-billing.ts';
import type { Caller } from '../../../../src/operations/caller.ts';
import type { SecurityEvent } from '../../../../src/policy/audit/security-log.ts';
import { createBudgets } from '../../../../src/policy/budgets/memory-budgets.ts';
import type { Limits } from '../../../../src/policy/plan.ts';
import { createLog } from '../../../../src/runtime/log.ts';
import type { BrowserSession } from '../../../../src/sessions/session.ts';

const caller = { team: { id: 'own' }, key: 'k' } as unknown as Caller;

function start(monthlyCredits: number | null = null) {
  const credits: number[] = [];
  const recorded: SecurityEvent[] = [];
  const ended = new AbortController();
  let now = 1_000_000;
  const budgets = createBudgets({
    ledger: {
      usage: async () => [{ start: 0, key: null, tokens: 0, credits: credits.reduce((sum, each) => sum + each, 0) }],
    },
    plans: { limitsOf: () => ({ monthlyCredits }) as Limits },
    clock: { now: () => now },
  });
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
    budgets,
    payers: { find: async () => caller },
    security: { record: (event) => recorded.push(event) },
    endSession: async (_session, reason) => {
      ended.abort(reason);
    },
    log: createLog('silent'),
  });
  const session = { id: 's', createdAt: now, ended: ended.signal } as unknown as BrowserSession;
  return {
    billing,
    session,
    credits,
    recorded,
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
    ended: ended.signal,
    async end(durationMs: number) {
      ended.abort();
      await billing.end(session, durationMs);
    },
  };
}

test('a session is billed minute by minute, so that a killed service loses at most one', async () => {
  const { billing, session, credits, pass, end } = start();
  await billing.open(session, caller, { operation: 'browser', threatCheck: undefined });
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
  await stage.billing.open(stage.session, caller, { operation: 'browser', threatCheck: undefined });
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
  await billing.open(session, caller, { operation: 'interact', threatCheck: undefined });
  await pass(2);
  assert.deepEqual(credits, [2, 2]);
  await billing.usePrompt(session);
  assert.deepEqual(credits, [2, 2, 10]);
  await billing.usePrompt(session);
  await pass(1);
  assert.deepEqual(credits, [2, 2, 10, 7]);
  assert.equal(billing.credits(session), 21);
  await end(180_000);
  assert.equal(credits.length, 4);
});

test('a session ends when the next minute cannot be paid for, and is not charged for more', async () => {
  const { billing, session, credits, recorded, pass, ended } = start(5);
  await billing.open(session, caller, { operation: 'browser', threatCheck: undefined });
  await pass(2);
  assert.deepEqual(credits, [2, 2]);
  assert.equal(
    ended.reason.message,
    'The session was ended because your credits are used up. Ask the operator for more.',
  );
  assert.deepEqual(recorded, [
    {
      teamId: 'own',
      action: 'limit.reached',
      actor: 'k',
      target: 'browser',
      details: { code: 'INSUFFICIENT_CREDITS' },
    },
  ]);
  await billing.end(session, 121_000);
  assert.deepEqual(credits, [2, 2, 1]);
  assert.equal(billing.credits(session), 5);
});

test('a prompt that the budget does not cover is refused before it runs, and the session stays as cheap as it was', async () => {
  const { billing, session, credits } = start(6);
  await billing.open(session, caller, { operation: 'interact', threatCheck: undefined });
  await assert.rejects(billing.usePrompt(session), { code: 'INSUFFICIENT_CREDITS' });
  await billing.end(session, 60_000);
  assert.deepEqual(credits, [2]);
});

test('the session of a caller without a key ends with the budget of its day', async () => {
  const { billing, session, credits, pass, ended } = start();
  const stranger = { ...caller, key: 'keyless-1', limits: { monthlyCredits: 3 }, isKeyless: true as const };
  await billing.open(session, stranger, { operation: 'interact', threatCheck: undefined });
  await assert.rejects(billing.usePrompt(session), { code: 'INSUFFICIENT_CREDITS' });
  await pass(1);
  assert.deepEqual([credits, ended.aborted], [[2], true]);
});

test('a session that cannot be paid for is not opened', async () => {
  const { billing, session, credits } = start(1);
  await assert.rejects(billing.open(session, caller, { operation: 'browser', threatCheck: undefined }), {
    code: 'INSUFFICIENT_CREDITS',
  });
  assert.deepEqual(credits, []);
});
