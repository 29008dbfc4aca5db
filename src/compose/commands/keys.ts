// The keys of a data folder or of a shared database, for the command line. They can be managed while the service runs.
import type { KeyRing } from '../../cli/keys/key-ring.ts';
import type { Config } from '../../config/settings.ts';
import { approveAgent, openClaims } from '../../operations/onboarding/claims.ts';
import { changeKey, createKey, DEFAULT_TEAM, revokeKey, rotateKey } from '../../operations/team/keys.ts';
import { addTeam, setTeam } from '../../operations/team/manage-teams.ts';
import { createPlans } from '../../policy/plan.ts';
import type { Actor } from '../../store/ports/teams/audit-log.ts';
import type { KeyRecord } from '../../store/ports/teams/team-store.ts';
import { systemClock } from '../../util/clock.ts';
import { openBeside } from './open-beside.ts';

export async function openKeyRing(config: Config): Promise<KeyRing & { close(): Promise<void> }> {
  const store = await openBeside(config);
  const { teams } = store;
  const plans = createPlans({ plans: config.plans, teamPlan: config.teamPlan, operatorTeam: DEFAULT_TEAM });
  const deps = { teams, plans };
  const by = (): Actor => ({ actor: 'operator', at: systemClock.now() });
  const named = ({ id, teamId }: KeyRecord) => ({ id, teamId });
  return {
    defaultTeam: DEFAULT_TEAM,
    listKeys: () => teams.listKeys(),
    listTeams: () => teams.listTeams(),
    create: async (name, request) => {
      const team = (await teams.findByName(name)) ?? (await addTeam(deps, name, {}, by()));
      return createKey(deps, team, request, by());
    },
    change: (key, change) => changeKey(deps, named(key), change, by()),
    rotate: (key, graceHours) => rotateKey(deps, named(key), graceHours, by()),
    revoke: (key) => revokeKey(deps, named(key), by()),
    async setTeam(name, change) {
      const { unset, ...settings } = change;
      const team = await teams.findByName(name);
      if (team) await setTeam(deps, team, change, by());
      else await addTeam(deps, name, settings, by());
    },
    listClaims: () => openClaims({ ...store, clock: systemClock }),
    approve: (id, terms) => approveAgent({ ...deps, ...store }, id, terms, by()),
    close: () => store.close(),
  };
}
