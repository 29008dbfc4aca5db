// The claims of agents that have no name, which the operator approves or denies.

import { ServiceError } from '../../contracts/errors/errors.ts';
import type { AgentClaim, ApproveClaimRequest } from '../../contracts/onboarding/onboarding.ts';
import { auditTarget } from '../../contracts/team/audit-target.ts';
import type { Actor, AuditLog } from '../../store/ports/teams/audit-log.ts';
import type { OnboardingStore } from '../../store/ports/teams/onboarding-store.ts';
import { type Clock, iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import { changeKey, type KeyDeps, revokeKey } from '../team/keys.ts';
import { actorOf } from '../team/manage-keys.ts';
import { setTeam, type TeamDeps } from '../team/manage-teams.ts';
import { requireOperator } from '../team/operator.ts';

interface Deps extends TeamDeps, KeyDeps {
  onboarding: OnboardingStore;
  audit: Pick<AuditLog, 'add'>;
  clock: Pick<Clock, 'now'>;
}

const MAX_LISTED = 1_000;

/** Throws OPERATOR_ONLY. */
export async function listClaims(deps: Deps, { caller }: Call<'listClaims'>) {
  requireOperator(caller);
  return { success: true as const, data: await openClaims(deps) };
}

/** Also for the command line. */
export async function openClaims({
  onboarding,
  teams,
  clock,
}: Pick<Deps, 'onboarding' | 'clock' | 'teams'>): Promise<AgentClaim[]> {
  const waiting = await onboarding.listUnclaimed(clock.now(), MAX_LISTED);
  if (waiting.length === 0) return [];
  const keys = new Map((await teams.listKeys()).map((key) => [key.id, key]));
  // A key may have been revoked.
  return waiting.flatMap(({ id, keyIds, email, requestedAt, createdAt, expiresAt }) => {
    const key = keys.get(keyIds[0] ?? '');
    if (!key || expiresAt === null) return [];
    const times = { createdAt: iso(createdAt), expiresAt: iso(expiresAt) };
    return [
      {
        id,
        key: key.prefix,
        team: key.team,
        email,
        requestedAt: requestedAt === null ? null : iso(requestedAt),
        ...times,
      },
    ];
  });
}

/** Throws OPERATOR_ONLY or KEY_NOT_FOUND. */
export async function approveClaim(deps: Deps, { caller, params: { id }, body }: Call<'approveClaim'>) {
  requireOperator(caller);
  const key = await approveAgent(deps, id, body, actorOf(caller, deps));
  return { success: true as const, data: { id, key } };
}

/** Also for the command line. Lifts the limits of the key, which stays the same. Returns its first characters. Throws KEY_NOT_FOUND. */
export async function approveAgent(
  deps: Omit<Deps, 'clock'>,
  id: string,
  { limits = {}, plan, expiresInDays }: ApproveClaimRequest,
  by: Actor,
): Promise<string> {
  const registration = await deps.onboarding.find(id, by.at);
  const keyId = registration?.keyIds[0];
  const team = registration && (await deps.teams.find(registration.teamId));
  if (!team || registration.claimedAt !== null || keyId === undefined) throw new ServiceError('KEY_NOT_FOUND');
  // The team first: it refuses a plan that does not exist.
  await setTeam(deps, team, plan === undefined ? { unset: ['plan'] } : { plan }, by);
  const expiry = expiresInDays === undefined ? { expiresAt: null } : { expiresInDays };
  const { prefix } = await changeKey(deps, { id: keyId, teamId: team.id }, { limits, ...expiry }, by);
  // Last: after a kill before it, the claim is still listed and can be approved again.
  await deps.onboarding.claim(id, by.at);
  const details = { registration: id };
  await deps.audit.add({ ...by, teamId: team.id, action: 'key.claimed', target: auditTarget(prefix), details });
  return prefix;
}

/** Revokes the key at once. The claim is forgotten. Throws OPERATOR_ONLY or KEY_NOT_FOUND. */
export async function denyClaim(deps: Deps, { caller, params: { id } }: Call<'denyClaim'>) {
  requireOperator(caller);
  const by = actorOf(caller, deps);
  const registration = await deps.onboarding.find(id, by.at);
  const keyId = registration?.keyIds[0];
  const isWaiting = registration?.claimedAt === null && registration.expiresAt !== null;
  if (!isWaiting || keyId === undefined) throw new ServiceError('KEY_NOT_FOUND');
  const { prefix } = await revokeKey(deps, { id: keyId, teamId: registration.teamId }, by);
  // Last: after a kill before it, the registration expires by itself.
  await deps.onboarding.remove(id);
  return { success: true as const, data: { id, key: prefix } };
}
