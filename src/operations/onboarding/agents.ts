// The calls by which agents get a key, ask for its approval, and give it back.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { CREDENTIAL_TYPE } from '../../contracts/onboarding/onboarding.ts';
import type { OpenAnswer, OpenCall } from '../call.ts';
import { type AnonymousDeps, registerAnonymously, requestClaim } from './anonymous-agent.ts';
import { type RegisterDeps, registerByAssertion } from './register-agent.ts';
import { revokeOwnKey } from './revoke-agent.ts';
import { type OpenTurns, takeTurn } from './take-turn.ts';

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

export async function revokeAgent(
  { agents, turns }: Deps,
  { body, address }: OpenCall<'revokeAgent'>,
): Promise<OpenAnswer> {
  await takeTurn(turns['other calls of agents'], address);
  await revokeOwnKey(agents, body.token, address);
  return answer({});
}
