// Gives a key to an agent whose provider vouches for the person that it works for. The same person at the same provider has
// one registration with a few keys: an agent on a second machine does not end the first one's.

import { ServiceError } from '../../contracts/errors/errors.ts';
import {
  type AgentAuthRequest,
  type AgentAuthResponse,
  CREDENTIAL_TYPE,
  ID_JAG,
} from '../../contracts/onboarding/onboarding.ts';
import { auditTarget } from '../../contracts/team/audit-target.ts';
import { KEY_GROUPS, type KeyLimits, type TeamSettings } from '../../contracts/team/policy.ts';
import type { VerifyAssertion } from '../../policy/agents/verify-assertion.ts';
import type { Actor, AuditLog } from '../../store/ports/teams/audit-log.ts';
import type { OnboardingStore } from '../../store/ports/teams/onboarding-store.ts';
import type { Team } from '../../store/ports/teams/team-store.ts';
import { type Clock, iso } from '../../util/clock.ts';
import { createKey, type KeyDeps, revokeKey } from '../team/keys.ts';
import { type Turns, takeTurn } from './take-turn.ts';

export interface RegisterDeps extends KeyDeps {
  verify: VerifyAssertion;
  onboarding: Pick<OnboardingStore, 'useAssertion' | 'ensureRegistration' | 'addKey'>;
  audit: Pick<AuditLog, 'add'>;
  turns: Turns;
  clock: Pick<Clock, 'now'>;
}

export interface Registering {
  address: string;
  baseUrl: string;
}

const MAX_KEYS = 5;
/** Enough to tell persons apart in a list. */
const SHOWN_SUBJECT = 12;

/** Throws a ServiceError with a code of auth.md. */
export async function registerByAssertion(
  deps: RegisterDeps,
  { assertion_type, assertion }: AgentAuthRequest,
  { address, baseUrl }: Registering,
): Promise<AgentAuthResponse> {
  const { verify, onboarding, audit } = deps;
  if (assertion_type !== ID_JAG)
    throw new ServiceError('invalid_request', { message: `\`assertion_type\` must be ${ID_JAG}.` });
  if (!assertion) throw new ServiceError('invalid_request', { message: 'Send the signed ID-JAG as `assertion`.' });
  await takeTurn(deps.turns, address);
  const agent = await verify(assertion, [baseUrl, `${baseUrl}/`, `${baseUrl}/v2`]);
  // Only now, so that an assertion that was refused for another reason can still be used.
  if (!(await onboarding.useAssertion(agent.assertion, agent.usableUntil))) throw new ServiceError('replay_detected');

  const { issuer, subject } = agent;
  const at = deps.clock.now();
  const person = subject.slice(0, SHOWN_SUBJECT);
  const by = { actor: 'agent', address, at };
  const team = await ensureTeam(deps, issuer.team ?? `agent-${person}`, {}, by);
  const registration = await onboarding.ensureRegistration(subject, team.id, at);
  const { key, record } = await createKey(
    deps,
    team,
    { label: labelOf(issuer.issuer, person), limits: issuer.limits, expiresInDays: issuer.expiresInDays },
    by,
  );
  for (const id of await onboarding.addKey(registration.id, record.id, MAX_KEYS))
    await revokeKey(deps, { id, teamId: team.id }, by).catch(ignoreMissing);
  const details = { issuer: issuer.issuer, person, registration: registration.id };
  await audit.add({ ...by, teamId: team.id, action: 'agent.registered', target: auditTarget(record.prefix), details });
  return {
    registration_id: registration.id,
    registration_type: 'agent-provider',
    credential_type: CREDENTIAL_TYPE,
    credential: key,
    credential_expires: record.expiresAt === null ? null : iso(record.expiresAt),
    scopes: scopesOf(issuer.limits),
  };
}

/** Two requests at the same time may make it: then it is there for the second. */
export async function ensureTeam({ teams }: KeyDeps, name: string, settings: TeamSettings, by: Actor): Promise<Team> {
  const known = (await teams.findByName(name)) ?? (await teams.createTeam(name, settings, by));
  return known ?? teams.ensureTeam(name, by.at);
}

const labelOf = (issuer: string, person: string): string =>
  `agent of ${(URL.parse(issuer)?.host || issuer).slice(0, 100)}, person ${person}`;

/** Somebody else has revoked the key. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ServiceError && error.code === 'KEY_NOT_FOUND')) throw error;
}

/** An empty list restricts nothing. */
export const scopesOf = ({ operations = [] }: KeyLimits) => (operations.length > 0 ? [...operations] : [...KEY_GROUPS]);
