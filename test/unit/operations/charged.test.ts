import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/contracts/errors/errors.ts';
import { billUnforeseen, charged } from '../../../src/operations/charged.ts';
import { createBudgets } from '../../../src/policy/budgets/memory-budgets.ts';
import type { Limits } from '../../../src/policy/plan.ts';
import type { Charge } from '../../../src/store/ports/teams/ledger.ts';

const NOW = Date.UTC(2026, 10, 16);
const team = { id: 'team', name: 'team' };
const caller = { team, key: 'tk-1', signal: new AbortController().signal };
const account = { teamId: 'team', key: 'tk-1' };
const request = { id: 'request', isStored: true, target: 'http://site.test/' };

/** A ledger in memory, and a budget over it. */
function open(monthlyCredits: number | null) {
  const entries: Charge[] = [];
  const ledger = {
    add: async (charge: Charge) => void entries.push(charge),
    usage: async () => entries.map(({ credits, key = null }) => ({ start: NOW, key, credits, tokens: 0 })),
  };
  const clock = { now: () => NOW };
  const budgets = createBudgets({ ledger, plans: { limitsOf: () => ({ monthlyCredits }) as Limits }, clock });
  return { deps: { budgets, ledger, clock }, entries, left: () => budgets.remaining({ team }) };
}

const fails = (code: 'SCRAPE_TIMEOUT' | 'SCRAPE_DNS_RESOLUTION_ERROR') => async () => {
  throw new ServiceError(code);
};

test('the known cost is reserved while the work runs, and what it has cost is charged', async () => {
  const { deps, entries, left } = open(10);
  const credits = await charged(deps, caller, { operation: 'map', cost: 7 }, async ({ charge }) => {
    assert.equal(await left(), 3);
    return charge(2, request);
  });
  assert.equal(credits, 2);
  assert.equal(await left(), 8);
  const listed = { id: 'request', isRatable: true, target: 'http://site.test/' };
  assert.deepEqual(entries, [{ ...account, operation: 'map', job: 'request', credits: 2, request: listed, now: NOW }]);
});

test('work that the budget does not cover never begins', async () => {
  const { deps, entries } = open(1);
  const work = () => assert.fail('it began');
  await assert.rejects(charged(deps, caller, { operation: 'map', cost: 2 }, work), { code: 'INSUFFICIENT_CREDITS' });
  assert.deepEqual(entries, []);
});

test('nothing is kept about a request that may not be stored but that it was made', async () => {
  const { deps, entries } = open(null);
  const traceless = { ...request, isStored: false };
  await charged(deps, caller, { operation: 'map', cost: 1 }, ({ charge }) => charge(0, traceless));
  const listed = { id: 'request', isRatable: false };
  assert.deepEqual(entries, [{ ...account, operation: 'map', credits: 0, request: listed, now: NOW }]);
});

test('a failure costs what it is known to cost and the fee of the threat check, and is not listed', async () => {
  const { deps, entries, left } = open(10);
  const terms = { operation: 'scrape', cost: 5 } as const;
  await assert.rejects(charged(deps, caller, terms, fails('SCRAPE_TIMEOUT')), { code: 'SCRAPE_TIMEOUT' });
  assert.deepEqual(entries, []);
  assert.equal(await left(), 10);
  const explain = (_: unknown, cost: object) => Object.assign(new Error('explained'), { cost });
  const checked = { ...terms, threatCheck: { credits: () => 2 }, explain };
  const charges = [
    { item: 'unknownHost', credits: 1 },
    { item: 'threatScans', credits: 2 },
  ];
  await assert.rejects(charged(deps, caller, checked, fails('SCRAPE_DNS_RESOLUTION_ERROR')), {
    message: 'explained',
    cost: { credits: 3, charges },
  });
  assert.deepEqual(entries, [{ ...account, operation: 'scrape', credits: 3, now: NOW }]);
  assert.equal(await left(), 7);
});

test('work that fails after it was charged is not charged again', async () => {
  for (const monthlyCredits of [10, null]) {
    const { deps, entries } = open(monthlyCredits);
    const terms = { operation: 'search', cost: 2, threatCheck: { credits: () => 2 } } as const;
    const work = charged(deps, caller, terms, async ({ charge }) => {
      await charge(2, request);
      throw new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR');
    });
    await assert.rejects(work, { code: 'SCRAPE_DNS_RESOLUTION_ERROR' });
    assert.deepEqual(
      entries.map(({ credits }) => credits),
      [2],
    );
  }
});

test('a result that cannot be stored with its charge costs nothing', async () => {
  const { deps, entries, left } = open(10);
  const work = charged(deps, caller, { operation: 'scrape', cost: 1 }, ({ chargeStored }) =>
    chargeStored(4, request, fails('SCRAPE_TIMEOUT')),
  );
  await assert.rejects(work, { code: 'SCRAPE_TIMEOUT' });
  assert.deepEqual(entries, []);
  assert.equal(await left(), 10);
});

test('a part is billed as the larger request, or counted for it if that pays at its end', async () => {
  const { deps, entries, left } = open(10);
  const partOf = { operation: 'agent', job: 'run' } as const;
  const part = (terms: object) =>
    charged(deps, caller, { operation: 'search', cost: 2, ...terms }, ({ charge }) => charge(2, request));
  assert.equal(await part({ partOf }), 2);
  assert.equal(await left(), 8);
  assert.equal(await part({ partOf: { ...partOf, isBilledAtItsEnd: true } }), 2);
  assert.equal(await left(), 8);
  const entry = { ...account, operation: 'agent', job: 'run', now: NOW };
  assert.deepEqual(entries, [
    { ...entry, credits: 2 },
    { ...entry, credits: 0 },
  ]);
});

test('what nobody could know before is charged as far as the budget goes', async () => {
  const { deps, entries } = open(3);
  const work = { operation: 'interact', job: 'session' } as const;
  for (const cost of [0, 2, 5, 1]) await billUnforeseen(deps, caller, work, cost);
  assert.deepEqual(
    entries.map(({ credits }) => credits),
    [2, 1],
  );
});
