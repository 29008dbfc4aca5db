// The calls by which agents get a key, ask for its approval, and give it back.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { CREDENTIAL_TYPE } from '../../contracts/onboarding/onboarding.ts';
import type { OnboardingStore } from '../../store/ports/teams/onboarding-store.ts';
import type { Clock } from '../../util/clock.ts';
import type { OpenAnswer, OpenCall } from '../call.ts';
import { hashKey, type KeyDeps, revokeKey } from '../team/keys.ts';
import { type AnonymousDeps, registerAnonymously, requestClaim } from './anonymous-agent.ts';
import { type RegisterDeps, registerByAssertion } from './register-agent.ts';
import { type OpenTurns, takeTurn } from './take-turn.ts';

interface RevokeDeps extends KeyDeps {
  onboarding: Pick<OnboardingStore, 'findByKey'>;
  clock: Pick<Clock, 'now'>;
}

interface Deps {
  agents: Omit<RegisterDeps & AnonymousDeps, 'turns'>;
  turns: Pick<OpenTurns, 'agents with an assertion' | 'agents without a name' | 'other calls of agents'>;
}

const answer = (body: unknown): OpenAnswer => ({ status: 200, headers: { 'cache-control': 'no-store' }, body });

/** Throws a ServiceError with a code of auth.md. */
export async function registerAgent(
  { agents, turns }: Deps,
  { body, ...call }: OpenCall<'registerAgent'>,
): Promise<OpenAnswer> {
  if ((body.requested_credential_type ?? CREDENTIAL_TYPE) !== CREDENTIAL_TYPE)
    throw new ServiceError('unsupported_credential_type');
  return answer(
    body.type === 'anonymous'
      ? await registerAnonymously({ ...agents, turns: turns['agents without a name'] }, call)
      : await registerByAssertion({ ...agents, turns: turns['agents with an assertion'] }, body, call),
  );
}

export async function claimAgent(
  { agents, turns }: Deps,
  { body, address }: OpenCall<'claimAgent'>,
): Promise<OpenAnswer> {
  await takeTurn(turns['other calls of agents'], address);
  return answer(await requestClaim(agents, body));
}

/** As RFC 7009 says, the answer does not tell whether there was such a key. */
export async function revokeAgent(
  { agents, turns }: Deps,
  { body, address }: OpenCall<'revokeAgent'>,
): Promise<OpenAnswer> {
  await takeTurn(turns['other calls of agents'], address);
  await revokeOwnKey(agents, body.token, address);
  return answer({});
}

/** Only keys that agents got by themselves: a leaked key must not let its finder lock out the team that uses it. */
async function revokeOwnKey(deps: RevokeDeps, token: string, address: string): Promise<void> {
  const at = deps.clock.now();
  const owner = await deps.teams.findByKey(hashKey(token), at);
  if (!owner || !(await deps.onboarding.findByKey(owner.keyId))) return;
  await revokeKey(deps, { id: owner.keyId, teamId: owner.team.id }, { actor: owner.key, address, at });
}
