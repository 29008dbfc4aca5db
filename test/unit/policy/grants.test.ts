// Features that a team has, lacks, or gets with every request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyedOperation } from '../../../src/contracts/route-types.ts';
import type { TeamSettings } from '../../../src/contracts/team/policy.ts';
import type { Asked } from '../../../src/policy/asked.ts';
import { createFeatures } from '../../../src/policy/features.ts';
import { applyGrants } from '../../../src/policy/grants.ts';
import { ROUTE_POLICY } from '../../../src/policy/route-policy.ts';

function apply(settings: TeamSettings, asked: Asked, call: KeyedOperation = 'scrape', defaults: string[] = []): Asked {
  const forced = applyGrants(createFeatures(defaults)({ settings }), ROUTE_POLICY[call], asked);
  return forced ? { ...asked, ...forced } : asked;
}

const search = { type: 'search' };
const ASKED: [feature: string, setting: keyof TeamSettings, body: Asked][] = [
  ['Zero data retention', 'zeroDataRetention', { zeroDataRetention: true }],
  ['Zero data retention', 'zeroDataRetention', { zeroDataRetention: false, enterprise: ['zdr'] }],
  ['Anonymous search', 'anonymous', { enterprise: ['default', 'anon'] }],
  ['Threat protection', 'threatProtection', { threatProtection: {} }],
  ['Threat protection', 'threatProtection', { scrapeOptions: { threatProtection: { mode: 'off' } } }],
  [
    'Threat protection',
    'threatProtection',
    { targets: [search, { ...search, scrapeOptions: { threatProtection: {} } }] },
  ],
];

test('a feature that the team lacks is refused, one that it has is left as it was sent', () => {
  for (const [feature, setting, body] of ASKED) {
    const refusal = {
      code: 'FEATURE_NOT_ENABLED',
      status: 403,
      message: `${feature} is not enabled for your team. The operator can enable it for the team, or for all teams with TRAWL_TEAM_FEATURES.`,
    };
    assert.throws(() => apply({}, body), refusal);
    assert.throws(() => apply({ [setting]: 'absent' }, body, 'search', ['zdr', 'anon', 'threat-protection']), refusal);
    assert.equal(apply({ [setting]: 'allowed' }, body), body);
    assert.equal(apply({}, body, 'search', ['zdr', 'anon', 'threat-protection']), body);
  }
  const plain = { zeroDataRetention: false, enterprise: ['default'], scrapeOptions: {}, targets: [search] };
  assert.equal(apply({}, plain), plain);
});

test('what is forced is set in every body that knows it, and in no other', () => {
  const forced: TeamSettings = { zeroDataRetention: 'forced', anonymous: 'forced' };
  assert.deepEqual(apply(forced, { url: 'a', zeroDataRetention: false }), { url: 'a', zeroDataRetention: true });
  assert.deepEqual(apply(forced, { zeroDataRetention: false, enterprise: [] }), {
    zeroDataRetention: true,
    enterprise: ['anon'],
  });
  assert.deepEqual(apply(forced, {}), {});
  assert.deepEqual(apply(forced, { profile: { saveChanges: true } }), { profile: { saveChanges: false } });
  assert.deepEqual(apply({ anonymous: 'forced' }, { zeroDataRetention: false, enterprise: [] }), {
    zeroDataRetention: false,
    enterprise: ['anon'],
  });
});

test('calls that have to store content are refused if nothing may be stored', () => {
  for (const call of ['createMonitor', 'updateMonitor', 'runMonitor', 'extract', 'uploadUrl'] as const) {
    assert.throws(() => apply({ zeroDataRetention: 'forced' }, {}, call), {
      code: 'FEATURE_NOT_ENABLED',
      message: /^All requests of your team have zero data retention\. .+\.$/,
    });
    assert.deepEqual(apply({ zeroDataRetention: 'allowed' }, {}, call), {});
  }
});
