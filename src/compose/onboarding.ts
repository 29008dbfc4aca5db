// How somebody without a key gets one, as the settings say.
import type { Config } from '../config/settings.ts';
import type { Egress } from '../net/egress.ts';
import { type Approver, createCliLogins } from '../operations/onboarding/cli-login.ts';
import { createKeyless, KEYLESS_TEAM, type Keyless } from '../operations/onboarding/keyless.ts';
import { ensureTeam } from '../operations/onboarding/register-agent.ts';
import type { WaysIn } from '../operations/onboarding/ways-in.ts';
import { createKey } from '../operations/team/keys.ts';
import { createIssuerKeys } from '../policy/agents/issuer-keys.ts';
import { createVerifyAssertion } from '../policy/agents/verify-assertion.ts';
import type { Budgets } from '../policy/budgets/budgets.ts';
import type { Store } from '../store/ports/store.ts';
import type { TeamStore } from '../store/ports/teams/team-store.ts';
import type { Clock } from '../util/clock.ts';

interface KeylessBase {
  store: Store;
  budgets: Budgets;
  /** Secret of the data folder. */
  secret: Uint8Array;
  clock: Clock;
}

interface Base {
  store: Store;
  egress: Egress;
  onKeysEnded(): void;
  stopping: AbortSignal;
  clock: Clock;
}

/** Callers without a key. Undefined if nothing can be used without one. */
export async function composeKeyless(
  config: Config,
  { store, budgets, secret, clock }: KeylessBase,
): Promise<Keyless | undefined> {
  if (config.keyless === 'off' || config.auth === 'off') return undefined;
  const { teams, onboarding } = store;
  const by = { actor: 'system', at: clock.now() };
  const team = await ensureTeam({ teams }, KEYLESS_TEAM, { plan: 'free' }, by);
  const terms = { requestsPerDay: config.keylessRequests, creditsPerDay: config.keylessCredits };
  const proxySecret = config.keylessSecret;
  return createKeyless({ team, teams, onboarding, budgets, terms, secret, proxySecret, clock });
}

export function composeOnboarding(config: Config, { store, egress, onKeysEnded, stopping, clock }: Base) {
  const { teams, onboarding, audit } = store;
  const ways = waysIn(config);
  const issuers = config.agentIssuers;
  const verify = createVerifyAssertion({ issuers, keys: createIssuerKeys({ egress, clock, stopping }), clock });
  const createLogin = (approver: Approver) => createLoginKey(teams, approver, clock.now());
  return {
    isPublished: config.publicUrl !== undefined,
    ways,
    cliLogins: createCliLogins({ createKey: createLogin, audit, clock, approvals: store.sharedLimits?.loginApprovals }),
    agents: { verify, teams, onKeysEnded, onboarding, audit, terms: ways.anonymous, clock },
  };
}

const waysIn = (config: Config): WaysIn => ({
  needsKey: config.auth === 'required',
  issuers: config.agentIssuers.map(({ issuer }) => issuer),
  ...(config.keyless === 'limited' && {
    keyless: { requestsPerDay: config.keylessRequests, creditsPerDay: config.keylessCredits },
  }),
  ...(config.agentAnonymous === 'limited' && {
    anonymous: {
      creditsPerMonth: config.agentAnonymousCredits,
      days: config.agentAnonymousDays,
      maxUnclaimed: config.agentAnonymousMax,
    },
  }),
});

/** Undefined if the key that approved the login has been revoked since. */
async function createLoginKey(teams: TeamStore, approver: Approver, now: number): Promise<string | undefined> {
  const { team, keyId, address } = approver;
  const own = keyId === undefined ? undefined : (await teams.listKeys(team.id)).find(({ id }) => id === keyId);
  if (keyId !== undefined && !own) return undefined;
  const wanted = { label: 'CLI login', limits: own?.limits, expiresAt: own?.expiresAt ?? undefined };
  return (await createKey({ teams }, team, wanted, { actor: approver.key ?? 'operator', address, at: now })).key;
}
