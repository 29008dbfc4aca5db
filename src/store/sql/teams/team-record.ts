// Teams and keys as rows hold them: their settings and limits are JSON.
import type { KeyLimits } from '../../../contracts/team/policy.ts';
import type { KeyOwner, KeyRecord, Team } from '../../ports/teams/team-store.ts';

export type TeamRow = Pick<Team, 'id' | 'name'> & { settings: string };
export type KeyRow = Omit<KeyRecord, 'limits'> & { limits: string };
export type OwnerRow = TeamRow & { limits: string } & Omit<KeyOwner, 'team' | 'limits'>;

/** As `writeLimits` writes the limits of a key without restrictions. */
export const NO_LIMITS = '{}';

export const readTeam = ({ id, name, settings }: TeamRow): Team => ({ id, name, settings: JSON.parse(settings) });
export const readKey = ({ limits, ...key }: KeyRow): KeyRecord => ({ ...key, limits: JSON.parse(limits) });
export const readOwner = ({ id, name, settings, limits, ...key }: OwnerRow): KeyOwner => ({
  team: readTeam({ id, name, settings }),
  ...key,
  limits: JSON.parse(limits),
});

/** Without empty lists, which restrict nothing: a key without restrictions is found by its `{}`. */
export const writeLimits = (limits: KeyLimits): string =>
  JSON.stringify(limits, (_name, value) => (Array.isArray(value) && value.length === 0 ? undefined : value));

/** The names of the fields that differ, for the audit log. */
export const changedFields = (before: object, after: object): string =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => JSON.stringify(before[name as never]) !== JSON.stringify(after[name as never]))
    .join(', ');
