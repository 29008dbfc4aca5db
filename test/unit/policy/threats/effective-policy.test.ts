// What applies to a request: the whole matrix of grant, policy and override, with the texts of refusals.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import type { Grant } from '../../../../src/contracts/team/policy.ts';
import {
  THREAT_MODES,
  type ThreatProtection,
  threatPolicy,
} from '../../../../src/contracts/threats/threat-protection.ts';
import { effectivePolicy } from '../../../../src/policy/threats/effective-policy.ts';

type Saved = Parameters<typeof threatPolicy.parse>[0];
interface More {
  hasRiskService?: boolean;
  safeMode?: boolean;
  isStored?: boolean;
}

const apply = (grant: Grant, saved: Saved, override?: ThreatProtection, more: More = {}) =>
  effectivePolicy({
    grant,
    saved: saved === undefined ? undefined : threatPolicy.parse(saved),
    override,
    safeMode: false,
    hasRiskService: true,
    ...more,
  });

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return `${error.status} ${error.message}`;
  }
  return 'accepted';
}

const NOT_ENABLED =
  '403 Threat protection is not enabled for your team. The operator can enable it for the team, or for all teams with TRAWL_TEAM_FEATURES.';
const NO_OVERRIDES =
  '403 Your team does not allow requests to change its threat policy. Send the request without `threatProtection`, or set `allowRequestOverrides` in the policy.';
const NEEDS_SERVICE =
  '400 The mode `normal` with `failurePolicy: closed` needs a risk service, and this server has none: it would block every URL. The operator can set up one with TRAWL_WEB_RISK_KEY, TRAWL_RISK_URL or TRAWL_THREAT_LISTS. Until then use `mode: manual-only`, or `failurePolicy: open`.';

describe('a team without the feature', () => {
  test('has no policy, not even one that it saved when it had the feature', () => {
    assert.equal(apply('absent', undefined), undefined);
    assert.equal(apply('absent', { mode: 'normal' }), undefined);
  });

  test('is refused any override, an empty one included', () => {
    for (const override of [{}, { mode: 'off' as const }, { blacklist: [] }])
      assert.equal(
        refusal(() => apply('absent', undefined, override)),
        NOT_ENABLED,
      );
  });
});

describe('an override', () => {
  test('replaces exactly the fields that it has', () => {
    const saved = { mode: 'normal', blacklist: ['a.example'], whitelist: ['b.example'], riskScoreThreshold: 60 };
    const found = apply('allowed', saved, { blacklist: ['c.example'], failurePolicy: 'open' });
    const { blacklist, whitelist, riskScoreThreshold, failurePolicy, mode } = found!.policy;
    assert.deepEqual(
      [blacklist, whitelist, riskScoreThreshold, failurePolicy, mode],
      [['c.example'], ['b.example'], 60, 'open', 'normal'],
    );
  });

  test('is refused if the team does not allow overrides, whatever is in it', () => {
    const saved = { mode: 'normal', allowRequestOverrides: false };
    for (const override of [{}, { mode: 'normal' as const }, { riskScoreThreshold: 1 }])
      assert.equal(
        refusal(() => apply('allowed', saved, override)),
        NO_OVERRIDES,
      );
    assert.equal(apply('allowed', saved)?.policy.mode, 'normal');
  });

  test('may raise the mode of the policy, and never lower it', () => {
    for (const [least, saved] of THREAT_MODES.entries()) {
      for (const [rank, mode] of THREAT_MODES.entries()) {
        const text = `403 Threat protection is enforced for your team, so its mode cannot be lowered from \`${saved}\` to \`${mode}\`. Leave out \`mode\`.`;
        const outcome = refusal(() => apply('allowed', { mode: saved }, { mode }));
        assert.equal(outcome, rank < least ? text : 'accepted');
        if (rank >= least)
          assert.equal(apply('allowed', { mode: saved }, { mode })?.policy.mode, mode === 'off' ? undefined : mode);
      }
    }
    assert.match(
      refusal(() => apply('forced', { mode: 'off' }, { mode: 'manual-only' })),
      /^403 .* cannot be lowered from `normal` to `manual-only`/,
    );
  });

  test('that was stored and is no longer allowed is left out', () => {
    const override = { mode: 'off' as const };
    assert.equal(apply('absent', undefined, override, { isStored: true }), undefined);
    assert.equal(apply('forced', { mode: 'normal' }, override, { isStored: true })?.policy.mode, 'normal');
  });
});

describe('without a risk service', () => {
  const without = { hasRiskService: false };

  test('normal and closed is refused, from a request as from a policy', () => {
    assert.equal(
      refusal(() => apply('allowed', undefined, { mode: 'normal' }, without)),
      NEEDS_SERVICE,
    );
    assert.equal(
      refusal(() => apply('allowed', { mode: 'normal' }, undefined, without)),
      NEEDS_SERVICE,
    );
  });

  test('normal and open applies the lists, with a warning; manual-only needs none', () => {
    const open = apply('allowed', undefined, { mode: 'normal', failurePolicy: 'open' }, without);
    assert.match(open?.warning ?? '', /^No risk service is set up on this server.*TRAWL_WEB_RISK_KEY/);
    assert.equal(apply('allowed', { mode: 'manual-only' }, undefined, without)?.warning, undefined);
  });

  test('a team for which it is enforced is not blocked from everything', () => {
    assert.deepEqual(
      [undefined, { mode: 'off' }].map((saved) => apply('forced', saved, undefined, without)?.policy.failurePolicy),
      ['open', 'open'],
    );
    assert.equal(apply('forced', undefined)?.policy.failurePolicy, 'closed');
  });
});

describe('safe mode', () => {
  test('applies the lists and a strict threshold, also without the feature', () => {
    const { policy, isSafeMode } = apply('absent', undefined, undefined, { safeMode: true })!;
    assert.deepEqual(
      [policy.mode, policy.riskScoreThreshold, policy.failurePolicy, isSafeMode],
      ['normal', 50, 'closed', true],
    );
    const own = apply('allowed', { mode: 'off', blacklist: ['a.example'], riskScoreThreshold: 20 }, undefined, {
      safeMode: true,
    });
    assert.deepEqual([own?.policy.blacklist, own?.policy.riskScoreThreshold], [['a.example'], 20]);
  });

  test('without a risk service says that only lists were applied', () => {
    const found = apply('absent', undefined, undefined, { safeMode: true, hasRiskService: false });
    assert.match(found?.warning ?? '', /^No risk service/);
  });
});
