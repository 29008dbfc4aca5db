// The real budgets over a real store, for tests that put parts together themselves.
import { createBudgets } from '../../src/policy/budgets/memory-budgets.ts';
import { createPageReservations } from '../../src/policy/budgets/page-reservations.ts';
import { createPayers } from '../../src/policy/budgets/payers.ts';
import { createRunReservations } from '../../src/policy/budgets/run-reservations.ts';
import { createPlans, parsePlans } from '../../src/policy/plan.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { type Clock, systemClock } from '../../src/util/clock.ts';

export function openBudgets(store: Pick<Store, 'teams' | 'ledger'>, clock: Pick<Clock, 'now' | 'sleep'> = systemClock) {
  const plans = createPlans({ plans: parsePlans('{}'), teamPlan: 'unlimited', operatorTeam: 'default' });
  const budgets = createBudgets({ ledger: store.ledger, plans, clock });
  const payers = createPayers({ teams: store.teams, clock });
  const runReservations = createRunReservations({ budgets, payers });
  const pageReservations = createPageReservations({
    budgets,
    payers,
    runReservations,
    security: { record() {} },
    clock,
  });
  return { plans, budgets, payers, runReservations, pageReservations };
}
