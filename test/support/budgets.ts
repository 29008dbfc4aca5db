// The real budgets over a real store, for tests that put parts together themselves.
import { createBudgets } from '../../src/policy/budgets/memory-budgets.ts';
import { createPageHolds } from '../../src/policy/budgets/page-holds.ts';
import { createPayers } from '../../src/policy/budgets/payers.ts';
import { createRunHolds } from '../../src/policy/budgets/run-holds.ts';
import { createPlans, parsePlans } from '../../src/policy/plan.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { type Clock, systemClock } from '../../src/util/clock.ts';

export function openBudgets(store: Pick<Store, 'teams' | 'ledger'>, clock: Pick<Clock, 'now' | 'sleep'> = systemClock) {
  const plans = createPlans({ plans: parsePlans('{}'), teamPlan: 'unlimited', operatorTeam: 'default' });
  const budgets = createBudgets({ ledger: store.ledger, plans, clock });
  const payers = createPayers({ teams: store.teams, clock });
  const runHolds = createRunHolds({ budgets, payers });
  const pageHolds = createPageHolds({ budgets, payers, runHolds, security: { record() {} }, clock });
  return { plans, budgets, payers, runHolds, pageHolds };
}
