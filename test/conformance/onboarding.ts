// Every OnboardingStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE, type OpenStore, START } from './samples.ts';

const DAY = 20_000;
const LIMITS = { maxRequests: 3, maxCallers: 2 };

export function testOnboardingStore(adapter: string, open: OpenStore): void {
  describe(`OnboardingStore on ${adapter}`, () => {
    test('an assertion is used once, however many use it at the same time', async (t) => {
      const { onboarding, pages } = await open(t);
      const uses = Array.from({ length: 32 }, () => onboarding.useAssertion('a', START + MINUTE));
      assert.equal((await Promise.all(uses)).filter(Boolean).length, 1);
      assert.equal(await onboarding.useAssertion('b', START + MINUTE), true);
      await pages.sweep(START + MINUTE - 1);
      assert.equal(await onboarding.useAssertion('a', START + MINUTE), false);
      await pages.sweep(START + MINUTE);
      assert.equal(await onboarding.useAssertion('a', START + MINUTE), true);
    });

    test('a person has one registration, and of its keys the newest', async (t) => {
      const { onboarding, teams } = await open(t);
      const { id: teamId } = await teams.ensureTeam('agents', START);
      const first = await onboarding.ensureRegistration('person', teamId, START);
      assert.deepEqual(await onboarding.ensureRegistration('person', teamId, START + 1), first);
      assert.notEqual((await onboarding.ensureRegistration('another', teamId, START)).id, first.id);
      assert.deepEqual(await onboarding.addKey(first.id, 'k1', 2), []);
      assert.deepEqual(await onboarding.addKey(first.id, 'k2', 2), []);
      assert.deepEqual(await onboarding.addKey(first.id, 'k3', 2), ['k1']);
      assert.deepEqual((await onboarding.findByKey('k2'))?.keyIds, ['k2', 'k3']);
      assert.equal(await onboarding.findByKey('k1'), undefined);
    });

    test('an anonymous registration is forgotten unless it is claimed in time', async (t) => {
      const { onboarding, teams, pages } = await open(t);
      const { id: teamId } = await teams.ensureTeam('agent', START);
      const add = (claimHash: string, now: number) =>
        onboarding.addAnonymous({ teamId, claimHash, expiresAt: START + MINUTE, maxUnclaimed: 2, now });
      const [kept, lost] = [(await add('c1', START - 1))!, (await add('c2', START))!];
      assert.equal(await add('c3', START), undefined);
      await onboarding.addKey(lost.id, 'k', 1);
      assert.equal(await onboarding.countUnclaimed(START), 2);
      assert.deepEqual(await onboarding.listUnclaimed(START, 1), [kept]);
      assert.equal(await onboarding.requestClaim('unknown', null, START), undefined);
      const requested = { ...kept, requestedAt: START + 1, email: 'a@b.example' };
      assert.deepEqual(await onboarding.requestClaim('c1', 'a@b.example', START + 1), requested);
      assert.equal((await onboarding.requestClaim('c1', null, START + 2))?.email, 'a@b.example');
      await onboarding.claim(kept.id, START + 3);
      assert.equal(await onboarding.countUnclaimed(START), 1);
      await pages.sweep(START + MINUTE);
      assert.equal(await onboarding.find(lost.id, START + MINUTE), undefined);
      assert.equal(await onboarding.requestClaim('c2', null, START + MINUTE), undefined);
      assert.equal(await onboarding.findByKey('k'), undefined);
      const claimed = await onboarding.requestClaim('c1', 'other@b.example', START + MINUTE);
      assert.deepEqual([claimed?.claimedAt, claimed?.expiresAt, claimed?.email], [START + 3, null, 'a@b.example']);
    });

    test('requests without a key are counted exactly, also at the same time', async (t) => {
      const { onboarding, pages } = await open(t);
      const taken = await Promise.all(Array.from({ length: 32 }, () => onboarding.takeKeyless('x', DAY, LIMITS)));
      assert.equal(taken.filter(Boolean).length, 3);
      assert.equal(await onboarding.keylessRequests('x'), 3);
      assert.equal(await onboarding.keylessRequests('y'), 0);
      assert.equal(await onboarding.takeKeyless('y', DAY, LIMITS), true);
      // Two callers a day, whoever they are.
      assert.equal(await onboarding.takeKeyless('z', DAY, LIMITS), false);
      await pages.sweep((DAY + 2) * 24 * 60 * MINUTE);
      assert.equal(await onboarding.keylessRequests('x'), 0);
    });
  });
}
