// Gives a small key to an agent that nobody vouches for, which the operator can approve later. Each has a team of its own.

import { ServiceError } from '../../contracts/errors/errors.ts';
import { type AgentAuthResponse, CREDENTIAL_TYPE } from '../../contracts/onboarding/onboarding.ts';
import { auditTarget } from '../../contracts/team/audit-target.ts';
import { KEY_GROUPS, type KeyLimits } from '../../contracts/team/policy.ts';
import type { AuditLog } from '../../store/ports/teams/audit-log.ts';
import type { OnboardingStore } from '../../store/ports/teams/onboarding-store.ts';
import { type Clock, iso } from '../../util/clock.ts';
import { sha256 } from '../../util/hash.ts';
import { randomToken } from '../../util/ids.ts';
import { createKey, type KeyDeps } from '../team/keys.ts';
import { AGENT_PATHS } from './discovery.ts';
import { ensureTeam, type Registering, scopesOf } from './register-agent.ts';
import { type Turns, takeTurn } from './take-turn.ts';
import type { WaysIn } from './ways-in.ts';

export interface AnonymousDeps extends KeyDeps {
  terms: WaysIn['anonymous'];
  onboarding: OnboardingStore;
  audit: Pick<AuditLog, 'add'>;
  turns: Turns;
  clock: Pick<Clock, 'now'>;
}

const DAY_MS = 24 * 3_600_000;
const HOUR_S = 3_600;
const PLAN = 'free';
const OPERATIONS: NonNullable<KeyLimits['operations']> = ['scrape', 'search', 'map'];
const REQUESTS_PER_MINUTE = 10;

/** Throws anonymous_not_enabled or rate_limited. */
export async function registerAnonymously(
  deps: AnonymousDeps,
  { address, baseUrl }: Registering,
): Promise<AgentAuthResponse> {
  const { terms, onboarding, audit } = deps;
  if (!terms) throw new ServiceError('anonymous_not_enabled');
  await takeTurn(deps.turns, address);
  const at = deps.clock.now();
  const { maxUnclaimed } = terms;
  // Looked at first, so that a refusal leaves no team behind.
  if ((await onboarding.countUnclaimed(at)) >= maxUnclaimed) throw tooMany();
  const claimToken = `clm_${randomToken(24)}`;
  const expiresAt = at + terms.days * DAY_MS;
  const by = { actor: 'agent', address, at };
  const team = await ensureTeam(deps, `agent-${randomToken(6)}`, { plan: PLAN }, by);
  const registration = await onboarding.addAnonymous({
    teamId: team.id,
    claimHash: sha256(claimToken),
    expiresAt,
    maxUnclaimed,
    now: at,
  });
  if (!registration) throw tooMany();
  const limits: KeyLimits = {
    operations: OPERATIONS,
    requestsPerMinute: REQUESTS_PER_MINUTE,
    monthlyCredits: terms.creditsPerMonth,
  };
  const { key, record } = await createKey(deps, team, { label: 'anonymous agent', limits, expiresAt }, by);
  await onboarding.addKey(registration.id, record.id, 1);
  const details = { registration: registration.id };
  await audit.add({ ...by, teamId: team.id, action: 'agent.registered', target: auditTarget(record.prefix), details });
  return {
    registration_id: registration.id,
    registration_type: 'anonymous',
    credential_type: CREDENTIAL_TYPE,
    credential: key,
    credential_expires: iso(expiresAt),
    scopes: scopesOf(limits),
    claim_url: `${baseUrl}${AGENT_PATHS.claim}`,
    claim_token: claimToken,
    claim_token_expires: iso(expiresAt),
    post_claim_scopes: [...KEY_GROUPS],
  };
}

const tooMany = () =>
  new ServiceError('rate_limited', {
    message:
      'As many anonymous agents as the operator allows wait for approval. Try again later, or ask the operator for a key.',
    retryAfter: HOUR_S,
  });

/** The agent asks for approval, and sees whether it was given. Throws invalid_claim_token. */
export async function requestClaim(
  { onboarding, clock }: Pick<AnonymousDeps, 'onboarding' | 'clock'>,
  { claim_token, email }: { claim_token: string; email?: string | undefined },
) {
  const registration = await onboarding.requestClaim(sha256(claim_token), email ?? null, clock.now());
  if (!registration) throw new ServiceError('invalid_claim_token');
  const { id, claimedAt, expiresAt } = registration;
  return {
    registration_id: id,
    status: claimedAt === null ? ('initiated' as const) : ('claimed' as const),
    expires_at: expiresAt === null ? null : iso(expiresAt),
  };
}
