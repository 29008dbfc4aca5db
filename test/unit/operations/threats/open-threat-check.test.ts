// What the security log learns about blocked URLs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openThreatCheck } from '../../../../src/operations/threats/open-threat-check.ts';
import type { SecurityEvent } from '../../../../src/policy/audit/security-log.ts';
import { domainRefusal } from '../../../../src/policy/keys/key-domains.ts';
import { blockRefusal } from '../../../../src/policy/threats/refusals.ts';
import { judgeWithout } from '../../../support/threats.ts';

const URL_OF_EVIL = new URL('https://evil.test/secret-path');
const caller = { team: { id: 'team', settings: {} }, key: 'fc-12345678', address: '192.0.2.1' };

async function recordedFor(refusal: Error, request: { zeroDataRetention?: boolean }): Promise<SecurityEvent[]> {
  const events: SecurityEvent[] = [];
  const check = async () => {
    throw refusal;
  };
  const blocking = { ...judgeWithout(), check, checkHost: check };
  const deps = {
    threats: { checkFor: () => blocking },
    security: { record: (event: SecurityEvent) => events.push(event) },
  };
  const threatCheck = await openThreatCheck(deps, caller, request);
  const signal = AbortSignal.any([]);
  assert.equal(await threatCheck!.isSafe(URL_OF_EVIL, signal), false);
  await assert.rejects(threatCheck!.checkHost(URL_OF_EVIL, signal), refusal);
  const [ofUrl, ofHost] = events;
  assert.deepEqual(ofHost, ofUrl);
  return [ofUrl!];
}

const refusals = {
  blacklist: blockRefusal({ rule: 'blacklist', entry: 'evil.test' }, URL_OF_EVIL, {
    override: {},
    isSafeMode: false,
  } as unknown as Parameters<typeof blockRefusal>[2]),
  domains: domainRefusal(['good.test'], URL_OF_EVIL),
};

for (const [rule, refusal] of Object.entries(refusals)) {
  test(`a URL that is blocked by the rule ${rule} is recorded with its host`, async () => {
    const action = rule === 'domains' ? 'key.refused' : 'threat.blocked';
    assert.deepEqual(await recordedFor(refusal, {}), [
      {
        ...{ teamId: 'team', action, actor: 'fc-12345678', address: '192.0.2.1', target: 'evil.test' },
        ...{ details: { rule }, isTraceless: false },
      },
    ]);
  });

  test(`nothing that is written about a request without retention names the host (${rule})`, async () => {
    const [{ isTraceless, details }] = (await recordedFor(refusal, { zeroDataRetention: true })) as [SecurityEvent];
    assert.equal(isTraceless, true);
    // The only part of such an event that is written.
    assert.deepEqual(details, { rule });
  });
}
