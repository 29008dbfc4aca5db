// The login of the command line: a person approves it on a page, then the program that started it fetches a key, once.
// The key is made when it is fetched, and an approval is worth nothing without the verifier: so nothing that can be stolen waits.
import { createHash } from 'node:crypto';
import type { LoginApprovals } from '../../store/ports/limits/login-approvals.ts';
import type { AuditLog } from '../../store/ports/teams/audit-log.ts';
import type { Team } from '../../store/ports/teams/team-store.ts';
import { createBoundedMap } from '../../util/bounded-map.ts';
import type { Clock } from '../../util/clock.ts';
import { isSameSecret, sha256 } from '../../util/hash.ts';

/** Whose key the login gets: never more than its approver has. */
export interface Approver {
  team: Team;
  /** Prefix and id of the key that approved it; absent for the operator at the machine itself. */
  key?: string;
  keyId?: string;
  address?: string;
  /** It is the operator at the machine itself, who sent no key. */
  isAtMachine?: true;
}

export interface CliLogins {
  approve(login: { sessionId: string; codeChallenge: string }, approver: Approver): Promise<void>;
  /**
   * Undefined until the login is approved, for a wrong verifier, and after the key was fetched. What the operator has approved
   * without a key is only for programs of the operator: a link that somebody else sent is worth nothing to its sender.
   */
  fetch(login: { sessionId: string; codeVerifier: string }, isOperator: () => boolean): Promise<LoginKey | undefined>;
}

export interface LoginKey {
  key: string;
  teamName: string;
}

interface Deps {
  /** Makes and stores a key that may do what the approver may. Undefined if the approver's own key is gone. */
  createKey(approver: Approver): Promise<string | undefined>;
  audit: Pick<AuditLog, 'add'>;
  /** Approvals that all processes share; by default, only this process knows them. */
  approvals?: LoginApprovals;
  clock: Pick<Clock, 'now'>;
}

interface Approval {
  codeChallenge: string;
  approver: Approver;
}

export const LOGIN_MS = 10 * 60_000;
/** An approval needs a key or the operator, so this many never wait. */
const MAX_APPROVALS = 1_000;

export function createCliLogins({ createKey, audit, clock, approvals = approvalsInMemory(clock) }: Deps): CliLogins {
  const put = (id: string, approval: Approval) => approvals.put(id, JSON.stringify(approval), clock.now() + LOGIN_MS);
  return {
    async approve({ sessionId, codeChallenge }, approver) {
      const { team, key: actor = 'operator', address } = approver;
      await audit.add({ at: clock.now(), teamId: team.id, actor, address, action: 'login.approved' });
      // By hash: a look-up does not take the same time for every id.
      await put(sha256(sessionId), { codeChallenge, approver });
    },
    async fetch({ sessionId, codeVerifier }, isOperator) {
      const id = sha256(sessionId);
      const found = await approvals.find(id, clock.now());
      const approval: Approval | undefined = found && JSON.parse(found);
      if (!approval || !isSameSecret(challengeOf(codeVerifier), approval.codeChallenge)) return undefined;
      if (approval.approver.isAtMachine && !isOperator()) return undefined;
      // If two requests arrive at the same time, only one gets the key.
      if (!(await approvals.remove(id))) return undefined;
      try {
        const key = await createKey(approval.approver);
        return key === undefined ? undefined : { key, teamName: approval.approver.team.name };
      } catch (error) {
        await put(id, approval);
        throw error;
      }
    },
  };
}

function approvalsInMemory(clock: Pick<Clock, 'now'>): LoginApprovals {
  const known = createBoundedMap<string, string>({ maxEntries: MAX_APPROVALS, ttlMs: LOGIN_MS, clock });
  return {
    put: async (id, approval) => known.set(id, approval),
    find: async (id) => known.get(id),
    async remove(id) {
      const isKnown = known.peek(id) !== undefined;
      known.delete(id);
      return isKnown;
    },
  };
}

/** RFC 7636, S256. */
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
