// Records in the security log what the policy stage refuses.

import { type ErrorCode, ServiceError } from '../../contracts/errors/errors.ts';
import type { KeyedOperation } from '../../contracts/route-types.ts';
import { auditTarget } from '../../contracts/team/audit-target.ts';
import { readAsked } from '../asked.ts';
import type { PolicyCaller } from '../policy-caller.ts';
import type { PolicyStage } from '../policy-stage.ts';
import { ROUTE_POLICY } from '../route-policy.ts';
import type { SecurityEvent, SecurityLog } from './security-log.ts';

const ACTIONS: Partial<Record<ErrorCode, SecurityEvent['action']>> = {
  KEY_RESTRICTED: 'key.refused',
  NETWORK_NOT_ALLOWED: 'key.refused',
  RATE_LIMITED: 'limit.reached',
  INSUFFICIENT_CREDITS: 'limit.reached',
};

export function recordRefusals(stage: PolicyStage, security: Pick<SecurityLog, 'record'>): PolicyStage {
  const record = (error: unknown, id: KeyedOperation, caller: PolicyCaller, body?: unknown) => {
    const { team, key, address, isKeyless } = caller;
    const action = error instanceof ServiceError && ACTIONS[error.code];
    if (!action) return;
    security.record({
      ...{ teamId: team.id, action, target: auditTarget(id), details: { code: error.code } },
      ...(key !== undefined && { actor: key }),
      // A caller without a key is named by a hash of its address. The address itself is not stored.
      ...(address !== undefined && !isKeyless && { address }),
      isTraceless: team.settings?.anonymous === 'forced' || asksForNoTrace(id, body),
    });
  };
  return {
    keylessUse: stage.keylessUse,
    async admit(id, caller, signal) {
      try {
        return await stage.admit(id, caller, signal);
      } catch (error) {
        record(error, id, caller);
        throw error;
      }
    },
    async check(id, caller, body, given) {
      try {
        return await stage.check(id, caller, body, given);
      } catch (error) {
        record(error, id, caller, body);
        throw error;
      }
    },
  };
}

/** As the body of a search says it. Before the body is read, nobody knows. */
const asksForNoTrace = (id: KeyedOperation, body: unknown): boolean =>
  body !== undefined && readAsked(body, ROUTE_POLICY[id].asks).enterprise?.includes('anon') === true;
