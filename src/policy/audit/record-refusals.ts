// Records in the security log what the policy stage refuses.
import { auditTarget } from '../../contracts/audit-target.ts';
import { type ErrorCode, ServiceError } from '../../contracts/errors.ts';
import type { PolicyCaller, PolicyStage } from '../policy-stage.ts';
import type { KeyedCall } from '../route-policy.ts';
import type { SecurityEvent, SecurityLog } from './security-log.ts';

const ACTIONS: Partial<Record<ErrorCode, SecurityEvent['action']>> = {
  KEY_RESTRICTED: 'key.refused',
  NETWORK_NOT_ALLOWED: 'key.refused',
  RATE_LIMITED: 'limit.reached',
  INSUFFICIENT_CREDITS: 'limit.reached',
};

export function recordRefusals(stage: PolicyStage, security: Pick<SecurityLog, 'record'>): PolicyStage {
  const record = (error: unknown, call: KeyedCall, caller: PolicyCaller, body?: unknown) => {
    const { team, key, address, isKeyless } = caller;
    const action = error instanceof ServiceError && ACTIONS[error.code];
    if (!action) return;
    security.record({
      ...{ teamId: team.id, action, target: auditTarget(call), details: { code: error.code } },
      ...(key !== undefined && { actor: key }),
      // A caller without a key is named by a hash of its address. The address itself is not stored.
      ...(address !== undefined && !isKeyless && { address }),
      isTraceless: team.settings?.anonymous === 'forced' || asksForNoTrace(body),
    });
  };
  return {
    keylessUse: stage.keylessUse,
    async admit(call, caller, signal) {
      try {
        return await stage.admit(call, caller, signal);
      } catch (error) {
        record(error, call, caller);
        throw error;
      }
    },
    async check(call, caller, body, given) {
      try {
        return await stage.check(call, caller, body, given);
      } catch (error) {
        record(error, call, caller, body);
        throw error;
      }
    },
  };
}

/** As the body of a search says it. Before the body is read, nobody knows. */
const asksForNoTrace = (body: unknown): boolean =>
  (body as { enterprise?: readonly string[] } | undefined)?.enterprise?.includes('anon') ?? false;
