// The policy stage: every call with a key passes it, first before its body is read, then before its operation runs. What
// applies to which call is in route-policy.ts.

import type { RateState } from '../contracts/rate-state.ts';
import type { BodyOf, KeyedOperation } from '../contracts/route-types.ts';
import type { RefusalPace } from '../runtime/gate/refusal-pace.ts';
import { readAsked } from './asked.ts';
import type { Budgets } from './budgets/budgets.ts';
import type { FeaturesOf } from './features.ts';
import { applyGrants } from './grants.ts';
import { checkKeyScopes, createKeyAdmission } from './keys/key-rules.ts';
import { checkKeyless } from './keys/keyless-rule.ts';
import type { PolicyCaller } from './policy-caller.ts';
import type { RateLimits } from './rates/rate-limits.ts';
import { type CallPolicy, ROUTE_POLICY, type RoutePolicy } from './route-policy.ts';

export interface PolicyStage {
  /** Whether the call is served without a key, if the operator allows that at all. */
  keylessUse(id: KeyedOperation): CallPolicy['keyless'];
  /**
   * Before the body is read. The rate that is left is told in headers. Throws ServiceError, and not faster than the caller's
   * team may be refused.
   */
  admit(id: KeyedOperation, caller: PolicyCaller, signal: AbortSignal): Promise<RateState | undefined>;
  /**
   * After validation, before any work. `given` has the names that the body was sent with. Returns the body with what is forced
   * for the team. Throws ServiceError.
   */
  check<Id extends KeyedOperation>(
    id: Id,
    caller: PolicyCaller,
    body: BodyOf<Id>,
    given: readonly string[],
  ): Promise<BodyOf<Id>>;
}

interface Deps {
  rates: Pick<RateLimits, 'take'>;
  budgets: Pick<Budgets, 'check'>;
  refusals: RefusalPace;
  featuresOf: FeaturesOf;
}

export function createPolicyStage({ rates, budgets, refusals, featuresOf }: Deps): PolicyStage {
  const admitKey = createKeyAdmission();
  return {
    keylessUse: (id) => ROUTE_POLICY[id].keyless,
    async admit(id, caller, signal) {
      const policy = ROUTE_POLICY[id];
      try {
        admitKey(caller, policy);
        return await rates.take({ team: caller.team, keyId: caller.keyId, keyLimits: caller.limits }, policy.bucket);
      } catch (error) {
        await refusals.wait(caller.team.id, signal);
        throw error;
      }
    },
    async check(id, caller, body, given) {
      const policy: RoutePolicy<typeof body> = ROUTE_POLICY[id];
      const made = policy.makes?.map((type) => ({ type }));
      const asked = { ...readAsked(body, policy.asks), ...(made && { formats: made }) };
      const forced = applyGrants(featuresOf(caller.team), policy, asked, caller.limits);
      const granted = forced && policy.asks ? Object.assign({}, body, forced) : body;
      if (caller.limits) checkKeyScopes(caller.limits, policy, { ...asked, ...forced });
      if (caller.isKeyless) checkKeyless({ ...asked, ...forced });
      // What the budget does not cover is refused before anything is done.
      if (policy.costs) await budgets.check(caller, policy.costs(granted, given));
      return granted;
    },
  };
}
