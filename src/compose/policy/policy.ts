// Puts together what teams and keys may do.
import type { Config } from '../../config/settings.ts';
import type { ServiceMetrics } from '../../contracts/metrics.ts';
import { DEFAULT_TEAM } from '../../operations/team/keys.ts';
import { createFeatures } from '../../policy/features.ts';
import { checkKeyScopes, createKeyAdmission } from '../../policy/keys/key-rules.ts';
import { createPlans } from '../../policy/plan.ts';
import { createPolicyStage } from '../../policy/policy-stage.ts';
import { createRateLimits } from '../../policy/rates/create-rate-limits.ts';
import type { Clock } from '../../util/clock.ts';
import { measureRates } from '../metrics.ts';

interface Base {
  metrics: ServiceMetrics;
  clock: Clock;
}

export function composePolicy(config: Config, { metrics, clock }: Base) {
  const plans = createPlans({ plans: config.plans, teamPlan: config.teamPlan, operatorTeam: DEFAULT_TEAM });
  const featuresOf = createFeatures(config.teamFeatures);
  const rates = measureRates(metrics, createRateLimits({ plans, clock }));
  const stage = createPolicyStage({ admission: [createKeyAdmission()], request: [checkKeyScopes], rates, featuresOf });
  return { plans, stage, featuresOf };
}
