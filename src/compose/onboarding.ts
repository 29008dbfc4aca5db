// How somebody without a key gets one, as the settings say.
import type { Authenticate } from '../api/callers/auth.ts';
import type { Config } from '../config/settings.ts';
import { type Approver, createCliLogins } from '../operations/onboarding/cli-login.ts';
import type { WaysIn } from '../operations/onboarding/ways-in.ts';
import { createKey } from '../operations/team/keys.ts';
import type { Store } from '../store/store.ts';
import type { Team, TeamStore } from '../store/team-store.ts';
import type { Clock } from '../util/clock.ts';
import type { OnboardingDeps } from './operations/bind-onboarding.ts';

interface Base {
  store: Store;
  authenticate: Authenticate;
  defaultTeam: Team;
  clock: Clock;
}

export function composeOnboarding(config: Config, { store, ...base }: Base): OnboardingDeps {
  const ways: WaysIn = { needsKey: config.auth === 'required', issuers: [] };
  const createLogin = (approver: Approver) => createLoginKey(store.teams, approver, base.clock.now());
  return { ...base, ways, cliLogins: createCliLogins({ createKey: createLogin, clock: base.clock }) };
}

/** Undefined if the key that approved the login has been revoked since. */
async function createLoginKey(teams: TeamStore, { team, keyId }: Approver, now: number): Promise<string | undefined> {
  const own = keyId === undefined ? undefined : (await teams.listKeys(team.id)).find(({ id }) => id === keyId);
  if (keyId !== undefined && !own) return undefined;
  const wanted = { label: 'CLI login', limits: own?.limits, expiresAt: own?.expiresAt ?? undefined };
  return (await createKey({ teams }, team, wanted, { actor: own?.prefix ?? 'operator', at: now })).key;
}
