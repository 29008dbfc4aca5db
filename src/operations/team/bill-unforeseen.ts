// Bills what nobody can know before, such as what a language model has used: it is charged as far as the budget goes.
import type { Budgets } from '../../policy/budgets/budgets.ts';
import type { Charge, Ledger } from '../../store/ledger.ts';
import type { Clock } from '../../util/clock.ts';
import { accountOf, type Caller } from '../caller.ts';

export interface UnforeseenDeps {
  budgets: Pick<Budgets, 'hold'>;
  ledger: Pick<Ledger, 'add'>;
  clock: Pick<Clock, 'now'>;
}

export async function billUnforeseen(
  { budgets, ledger, clock }: UnforeseenDeps,
  caller: Caller,
  work: Pick<Charge, 'operation' | 'job'>,
  cost: number,
): Promise<void> {
  if (cost <= 0) return;
  const hold = await budgets.hold(caller, 0);
  try {
    const credits = await hold.settle(cost);
    if (credits > 0) await ledger.add({ ...accountOf(caller), ...work, credits, now: clock.now() });
    hold.recorded();
  } finally {
    hold.release();
  }
}
