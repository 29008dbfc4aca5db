// Every ThreatPolicyStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFAULT_THREAT_POLICY } from '../../src/contracts/threats/threat-protection.ts';
import { type OpenStore, START } from './samples.ts';

export function testThreatPolicyStore(adapter: string, open: OpenStore): void {
  describe(`ThreatPolicyStore on ${adapter}`, () => {
    test('a policy is saved for its team alone, replaced as a whole, and each change is in the audit log', async (t) => {
      const { threatPolicies, teams, audit } = await open(t);
      const [{ id: mine }, { id: other }] = [await teams.ensureTeam('a', START), await teams.ensureTeam('b', START)];
      assert.equal(await threatPolicies.find(mine), undefined);
      const first = {
        ...DEFAULT_THREAT_POLICY,
        mode: 'normal' as const,
        blacklist: ['bad.example', '*.worse.example'],
      };
      await threatPolicies.save(mine, first, { actor: 'fc-aaaa', address: '192.0.2.1', at: START });
      await threatPolicies.save(mine, DEFAULT_THREAT_POLICY, { actor: 'operator', at: START + 1 });
      assert.deepEqual(await threatPolicies.find(mine), { policy: DEFAULT_THREAT_POLICY, updatedAt: START + 1 });
      assert.equal(await threatPolicies.find(other), undefined);
      const changes = (await audit.list({ teamId: mine, limit: 10 })).filter(
        ({ action }) => action === 'threat-policy.changed',
      );
      assert.deepEqual(
        changes.map(({ actor, address, details }) => [actor, address, details?.mode, details?.blacklist]),
        [
          ['operator', undefined, 'off', 0],
          ['fc-aaaa', '192.0.2.1', 'normal', 2],
        ],
      );
    });
  });
}
