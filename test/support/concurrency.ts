// The slots of teams, as the service makes them, for tests that need no more of it than these.
import { type Concurrency, createConcurrency } from '../../src/operations/team/concurrency/concurrency.ts';
import { createPlans, parsePlans } from '../../src/policy/plan.ts';
import type { Team } from '../../src/store/ports/teams/team-store.ts';
import type { Clock } from '../../src/util/clock.ts';

const { limitsOf } = createPlans({ plans: parsePlans('{}'), teamPlan: 'unlimited', operatorTeam: 'default' });

export const openConcurrency = (
  max: number,
  clock: Clock,
  findTeam: (id: string) => Promise<Team | undefined> = async () => undefined,
): Concurrency => createConcurrency({ max, limitsOf, findTeam, clock });
