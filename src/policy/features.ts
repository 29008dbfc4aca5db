// What a team may use beyond the usual: its own settings, else TRAWL_TEAM_FEATURES.
import type { Grant, TeamSettings } from '../contracts/team/policy.ts';

export interface Features {
  zeroDataRetention: Grant;
  anonymous: Grant;
  threatProtection: Grant;
}

export type FeaturesOf = (team: { settings?: TeamSettings }) => Features;

/** `defaults` are the names of what teams may use that have no setting of their own. */
export function createFeatures(defaults: readonly string[]): FeaturesOf {
  const grant = (name: string): Grant => (defaults.includes(name) ? 'allowed' : 'absent');
  const usual: Features = {
    zeroDataRetention: grant('zdr'),
    anonymous: grant('anon'),
    threatProtection: grant('threat-protection'),
  };
  return ({ settings }) =>
    settings === undefined
      ? usual
      : {
          zeroDataRetention: settings.zeroDataRetention ?? usual.zeroDataRetention,
          anonymous: settings.anonymous ?? usual.anonymous,
          threatProtection: settings.threatProtection ?? usual.threatProtection,
        };
}

/** Nothing of any request of the team may be stored. For calls that have no option for it themselves. */
export const storesNothing = (featuresOf: FeaturesOf, team: { settings?: TeamSettings }): boolean =>
  featuresOf(team).zeroDataRetention === 'forced';
