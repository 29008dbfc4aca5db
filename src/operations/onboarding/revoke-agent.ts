// An agent gives its key back. As RFC 7009 says, the answer does not tell whether there was such a key.

import type { OnboardingStore } from '../../store/ports/teams/onboarding-store.ts';
import type { Clock } from '../../util/clock.ts';
import { hashKey, type KeyDeps, revokeKey } from '../team/keys.ts';

export interface RevokeDeps extends KeyDeps {
  onboarding: Pick<OnboardingStore, 'findByKey'>;
  clock: Pick<Clock, 'now'>;
}

/** Only keys that agents got by themselves: a leaked key must not let its finder lock out the team that uses it. */
export async function revokeOwnKey(deps: RevokeDeps, token: string, address: string): Promise<void> {
  const at = deps.clock.now();
  const owner = await deps.teams.findByKey(hashKey(token), at);
  if (!owner || !(await deps.onboarding.findByKey(owner.keyId))) return;
  await revokeKey(deps, { id: owner.keyId, teamId: owner.team.id }, { actor: owner.key, address, at });
}
