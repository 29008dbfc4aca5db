// The policy stage: every call with a key passes it, first before its body is read, then before its operation runs. What
// applies to which call is in route-policy.ts.
import type { KeyLimits } from '../contracts/policy.ts';
import type { RateState } from '../contracts/rate-state.ts';
import type { Team } from '../store/team-store.ts';
import type { RefusalPace } from '../util/gate/refusal-pace.ts';
import type { FeaturesOf } from './features.ts';
import { applyGrants } from './grants.ts';
import type { RateLimits } from './rates/rate-limits.ts';
import { type KeyedCall, ROUTE_POLICY, type RoutePolicy } from './route-policy.ts';

/** Who makes the call. */
export interface PolicyCaller {
  team: Team;
  key?: string;
  keyId?: string;
  limits?: KeyLimits;
  /** When the key ends; null for never. */
  expiresAt?: number | null;
  address?: string;
  /** Has no key: see route-policy.ts for what it may do. */
  isKeyless?: true;
}

/** Throws ServiceError. */
export type AdmissionRule = (caller: PolicyCaller, policy: RoutePolicy) => void;
/** `body` is validated, `given` has the names that it was sent with. Throws ServiceError. */
export type RequestRule = (
  caller: PolicyCaller,
  policy: RoutePolicy,
  body: unknown,
  given: readonly string[],
) => void | Promise<void>;

export interface PolicyStage {
  /** Whether the call is served without a key, if the operator allows that at all. */
  keylessUse(call: KeyedCall): RoutePolicy['keyless'];
  /**
   * Before the body is read. The rate that is left is told in headers. Throws ServiceError, and not faster than the caller's
   * team may be refused.
   */
  admit(call: KeyedCall, caller: PolicyCaller, signal: AbortSignal): Promise<RateState | undefined>;
  /** After validation, before any work. Returns the body with what is forced for the team. Throws ServiceError. */
  check(call: KeyedCall, caller: PolicyCaller, body: unknown, given: readonly string[]): Promise<unknown>;
}

interface Rules {
  admission: readonly AdmissionRule[];
  request: readonly RequestRule[];
  rates: Pick<RateLimits, 'take'>;
  refusals: RefusalPace;
  featuresOf: FeaturesOf;
}

export const createPolicyStage = ({ admission, request, rates, refusals, featuresOf }: Rules): PolicyStage => ({
  keylessUse: (call) => ROUTE_POLICY[call].keyless,
  async admit(call, caller, signal) {
    const policy = ROUTE_POLICY[call];
    try {
      for (const rule of admission) rule(caller, policy);
      return await rates.take({ team: caller.team, keyId: caller.keyId, keyLimits: caller.limits }, policy.bucket);
    } catch (error) {
      await refusals.wait(caller.team.id, signal);
      throw error;
    }
  },
  async check(call, caller, body, given) {
    const policy = ROUTE_POLICY[call];
    const granted = applyGrants(featuresOf(caller.team), policy, body, caller.limits);
    for (const rule of request) await rule(caller, policy, granted, given);
    return granted;
  },
});
