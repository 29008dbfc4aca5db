// Puts together what teams and keys may do.
import { createOperatorTeam } from '../../api/callers/operator-team.ts';
import type { Config } from '../../config/settings.ts';
import type { ServiceMetrics } from '../../contracts/operator/metrics.ts';
import { createConcurrency } from '../../operations/team/concurrency/concurrency.ts';
import { createPermitPool } from '../../operations/team/concurrency/permit-pool.ts';
import { createSharedLoad, readOwnLoad } from '../../operations/team/concurrency/team-load.ts';
import { createKeyWatch } from '../../operations/team/key-watch.ts';
import { DEFAULT_TEAM } from '../../operations/team/keys.ts';
import { recordRefusals } from '../../policy/audit/record-refusals.ts';
import type { SecurityLog } from '../../policy/audit/security-log.ts';
import { createBudgets } from '../../policy/budgets/memory-budgets.ts';
import { createPageReservations } from '../../policy/budgets/page-reservations.ts';
import { createPayers } from '../../policy/budgets/payers.ts';
import { createRunReservations } from '../../policy/budgets/run-reservations.ts';
import { createSharedBudgets } from '../../policy/budgets/shared-budgets.ts';
import { createFeatures } from '../../policy/features.ts';
import { createPlans } from '../../policy/plan.ts';
import { createPolicyStage } from '../../policy/policy-stage.ts';
import { createRateLimits } from '../../policy/rates/create-rate-limits.ts';
import { createRefusalPace } from '../../runtime/gate/refusal-pace.ts';
import type { Log } from '../../runtime/log.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Team } from '../../store/ports/teams/team-store.ts';
import type { Clock } from '../../util/clock.ts';
import { measureConcurrency, measureRates } from '../telemetry/metrics.ts';

interface Base {
  store: Pick<Store, 'teams' | 'ledger' | 'sharedLimits' | 'wakeUps'>;
  /** ID under which other processes know this one. */
  processId: string;
  metrics: ServiceMetrics;
  security: SecurityLog;
  clock: Clock;
  log: Log;
}

/** Without a stored key nobody can use the service. */
export const needsKey = ({ auth, apiKey }: Config): boolean => auth === 'required' && apiKey === undefined;

export type Policy = ReturnType<typeof composePolicy>;

export function composePolicy(config: Config, { store, processId, metrics, security, clock, log }: Base) {
  const { teams, ledger, sharedLimits: limits, wakeUps } = store;
  const plans = createPlans({ plans: config.plans, teamPlan: config.teamPlan, operatorTeam: DEFAULT_TEAM });
  const featuresOf = createFeatures(config.teamFeatures);
  const rates = measureRates(metrics, createRateLimits({ plans, clock, buckets: limits?.tokenBuckets }));
  const budgets = limits
    ? createSharedBudgets({ reservations: limits.creditHolds, processId, plans, clock })
    : createBudgets({ ledger, plans, clock });
  const payers = createPayers({ teams, clock });
  const runReservations = createRunReservations({ budgets, payers });
  const pageReservations = createPageReservations({ budgets, payers, runReservations, security, clock });
  const stage = createPolicyStage({
    ...{ rates, budgets },
    refusals: createRefusalPace(clock),
    featuresOf,
  });
  const keyWatch = createKeyWatch({ teams, clock, log });
  wakeUps.on('keys', keyWatch.check);
  const concurrency = measureConcurrency(
    metrics,
    createConcurrency({
      ...{ max: config.maxConcurrency, limitsOf: plans.limitsOf, findTeam: teams.find, clock },
      permits: limits && createPermitPool({ permits: limits.teamPermits, processId, clock }),
    }),
  );
  const sharedLoad = limits && createSharedLoad({ concurrency, loads: limits.teamLoads, processId, clock });
  const operatorTeam = createOperatorTeam({ teams, clock });
  const apply = (team: Team) => {
    concurrency.apply(team);
    operatorTeam.apply(team);
  };
  const onTeamChanged = (team: Team) => {
    apply(team);
    wakeUps.notify('teams', team.id);
  };
  const applyStored = async (id: string | undefined) => {
    const team = id === undefined ? undefined : await teams.find(id);
    if (team) apply(team);
  };
  // Without the wake-up, the settings apply when the team is read next.
  wakeUps.on('teams', (id) => void applyStored(id).catch(() => {}), 'others');
  const parts = {
    ...{ plans, featuresOf, budgets, concurrency, onTeamChanged },
    readLoad: sharedLoad?.read ?? readOwnLoad(concurrency),
    ...{ keyWatch, onKeysEnded: () => wakeUps.notify('keys'), hasOwnKey: !needsKey(config) },
  };
  return {
    stage: recordRefusals(stage, security),
    parts,
    payers,
    runReservations,
    pageReservations,
    operatorTeam,
    sharedLoad,
  };
}
