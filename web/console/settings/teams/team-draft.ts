// A team as its form edits it, and the request that comes of it.
import type { ResponseOf, SentBody } from '../../../../src/contracts/route-types.ts';
import { entriesOf, textOf } from '../form/entries.ts';

export type Team = ResponseOf<'listTeams'>['data'][number];
type Settings = Team['settings'];
export type Grant = NonNullable<Settings['zeroDataRetention']>;
export type GrantChoice = Grant | 'default';

/** `plan`: what the plan says; `unlimited`; or a number of its own. */
export interface LimitDraft {
  kind: 'plan' | 'unlimited' | 'own';
  value: number | undefined;
}

export interface TeamDraft {
  name: string;
  plan: string;
  monthlyCredits: LimitDraft;
  maxConcurrency: LimitDraft;
  maxQueued: LimitDraft;
  networks: string;
  zeroDataRetention: GrantChoice;
  anonymous: GrantChoice;
  threatProtection: GrantChoice;
}

export const LIMITS = ['monthlyCredits', 'maxConcurrency', 'maxQueued'] as const;
export const GRANTED = ['zeroDataRetention', 'anonymous', 'threatProtection'] as const;

const limitDraft = (value: number | null | undefined): LimitDraft => {
  if (value === undefined) return { kind: 'plan', value: undefined };
  return value === null ? { kind: 'unlimited', value: undefined } : { kind: 'own', value };
};

export const teamDraft = (team?: Pick<Team, 'name' | 'settings'>): TeamDraft => {
  const settings: Settings = team?.settings ?? {};
  return {
    name: team?.name ?? '',
    plan: settings.plan ?? '',
    monthlyCredits: limitDraft(settings.monthlyCredits),
    maxConcurrency: limitDraft(settings.maxConcurrency),
    maxQueued: limitDraft(settings.maxQueued),
    networks: textOf(settings.networks),
    zeroDataRetention: settings.zeroDataRetention ?? 'default',
    anonymous: settings.anonymous ?? 'default',
    threatProtection: settings.threatProtection ?? 'default',
  };
};

/** What the draft sets. Everything else is decided by the plan or by the settings of the service. */
function settingsOf(draft: TeamDraft): Omit<SentBody<'createTeam'>, 'name'> {
  const networks = entriesOf(draft.networks);
  const plan = draft.plan.trim();
  const limits = LIMITS.filter((name) => draft[name].kind !== 'plan').map((name) => [
    name,
    draft[name].kind === 'unlimited' ? null : draft[name].value,
  ]);
  const grants = GRANTED.filter((name) => draft[name] !== 'default').map((name) => [name, draft[name]]);
  return {
    ...(plan !== '' && { plan }),
    ...Object.fromEntries(limits),
    ...(networks.length > 0 && { networks }),
    ...Object.fromEntries(grants),
  };
}

export const createTeamBody = (draft: TeamDraft): SentBody<'createTeam'> => ({
  name: draft.name.trim(),
  ...settingsOf(draft),
});

/** Settings that were set and are not any more are removed. Rates have no field here, so they stay. */
export function changeTeamBody(before: Settings, draft: TeamDraft): SentBody<'changeTeam'> {
  const settings = settingsOf(draft);
  const unset = Object.keys(before).filter((name) => name !== 'rates' && !(name in settings));
  return { ...settings, ...(unset.length > 0 && { unset: unset as never }) };
}

export function teamDraftErrors(draft: TeamDraft): Record<string, string> {
  const errors: Record<string, string> = {};
  if (!/^[\w.-]{1,64}$/.test(draft.name.trim()))
    errors.name = 'Write 1 to 64 letters, digits, dots, dashes or underscores, without spaces.';
  for (const name of LIMITS) {
    if (draft[name].kind === 'own' && draft[name].value === undefined) errors[name] = 'Write a number.';
  }
  return errors;
}
