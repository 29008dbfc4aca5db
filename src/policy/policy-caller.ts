// Who makes a call, as far as the policy wants to know.
import type { KeyLimits } from '../contracts/team/policy.ts';
import type { Team } from '../store/ports/teams/team-store.ts';

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
