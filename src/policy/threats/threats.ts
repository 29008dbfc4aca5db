// Makes the threat check of a request from the policy of its team and what the request asks for. Without either, there is no
// check, and nothing is looked up a second time.
import type { Grant, TeamSettings } from '../../contracts/team/policy.ts';
import type { ThreatPolicy } from '../../contracts/threats/threat-protection.ts';
import type { TeamStore } from '../../store/ports/teams/team-store.ts';
import { createBoundedMap } from '../../util/bounded-map.ts';
import type { Clock } from '../../util/clock.ts';
import { createThreatCheck } from './create-threat-check.ts';
import { effectivePolicy } from './effective-policy.ts';
import { compileRules, type Lists, type OwnRules } from './own-rules.ts';
import type { PolicyCache } from './policy-cache.ts';
import type { RiskServices } from './risk/risk-service.ts';
import type { CheckedTeam, ThreatCheck, ThreatCheckOptions, ThreatCheckTerms, Threats } from './threat-check.ts';

export interface ThreatsDeps {
  policies: Pick<PolicyCache, 'find'>;
  teams: Pick<TeamStore, 'find'>;
  /** What the settings of a team, and those of the service, say about the feature. */
  grantOf(team: { settings?: TeamSettings }): Grant;
  services: RiskServices;
  scanCredits: number;
  clock: Pick<Clock, 'now'>;
}

/** Work that goes on by itself knows its team by id only. Changes of a team apply to it after this time at the latest. */
const SETTINGS_MS = 5_000;
const MAX_TEAMS = 1_000;

export function createThreats({ policies, teams, grantOf, services, scanCredits, clock }: ThreatsDeps): Threats {
  const knownSettings = createBoundedMap<string, TeamSettings>({ maxEntries: MAX_TEAMS, ttlMs: SETTINGS_MS, clock });
  // By the object of the policy, which stays the same until it is replaced.
  const compiled = new WeakMap<ThreatPolicy, OwnRules>();

  const rulesOf = (policy: ThreatPolicy, saved: ThreatPolicy | undefined): OwnRules => {
    if (!saved || !hasSameLists(policy, saved)) return compileRules(policy);
    const rules = compiled.get(saved) ?? compileRules(saved);
    compiled.set(saved, rules);
    return rules;
  };

  const open = (
    grant: Grant,
    saved: ThreatPolicy | undefined,
    terms: ThreatCheckTerms,
    options: ThreatCheckOptions,
  ) => {
    const { override, keyDomains, safeMode = false, isOffline } = terms;
    const { isStored, paidBy } = options;
    const hasRiskService = services.isSetUp;
    const effective = effectivePolicy({ grant, saved, override, safeMode, hasRiskService, isStored });
    if (!effective && !hasKeyDomains(terms)) return undefined;
    const rules = effective ? rulesOf(effective.policy, saved) : () => undefined;
    return createThreatCheck({ effective, rules, keyDomains, isOffline, services, scanCredits, paidBy });
  };

  const checkWith = (
    { id, settings }: CheckedTeam,
    terms: ThreatCheckTerms,
    options: ThreatCheckOptions,
  ): ThreatCheck | undefined | Promise<ThreatCheck | undefined> => {
    const grant = grantOf({ settings });
    if (grant === 'absent') return open(grant, undefined, terms, options);
    const saved = policies.find(id);
    return saved instanceof Promise
      ? saved.then((found) => open(grant, found?.policy, terms, options))
      : open(grant, saved?.policy, terms, options);
  };

  return {
    checkFor(team, terms, options = {}) {
      const settings = team.settings ?? knownSettings.get(team.id);
      if (settings) return checkWith({ id: team.id, settings }, terms, options);
      return teams.find(team.id).then((found) => {
        const known = found?.settings ?? {};
        knownSettings.set(team.id, known);
        return checkWith({ id: team.id, settings: known }, terms, options);
      });
    },
  };
}

const hasKeyDomains = ({ keyDomains = [] }: ThreatCheckTerms): boolean => keyDomains.length > 0;

const hasSameLists = (one: Lists, other: Lists): boolean =>
  one.whitelist === other.whitelist && one.blacklist === other.blacklist && one.blockedTlds === other.blockedTlds;
