// Puts together what teams and keys may do.
import type { Config } from '../config/settings.ts';
import { DEFAULT_TEAM } from '../operations/team/keys.ts';
import { createPlans } from '../policy/plan.ts';
import { createPolicyStage } from '../policy/policy-stage.ts';

export function composePolicy(config: Config) {
  const plans = createPlans({ plans: config.plans, teamPlan: config.teamPlan, operatorTeam: DEFAULT_TEAM });
  const stage = createPolicyStage({ admission: [], request: [], rates: { take: () => undefined } });
  return { plans, stage };
}
