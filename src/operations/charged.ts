// The credits of work, from before it begins until they are in the ledger: what it is known to cost is reserved, what it has
// cost is charged, also if it fails, and the rest is given back.
import type { BilledOperation } from '../contracts/team/team.ts';
import { type Budgets, NO_RESERVATION } from '../policy/budgets/budgets.ts';
import type { ThreatCheck } from '../policy/threats/threat-check.ts';
import type { Charge, Ledger } from '../store/ports/teams/ledger.ts';
import type { Clock } from '../util/clock.ts';
import { accountOf, type Caller } from './caller.ts';
import { type Cost, failureCharges, totalOf } from './team/credits.ts';

export interface AccountingDeps {
  budgets: Pick<Budgets, 'reserve'>;
  ledger: Pick<Ledger, 'add'>;
  clock: Pick<Clock, 'now'>;
}

/** The larger request that a scrape or search is billed as. */
export interface PartOf {
  operation: BilledOperation;
  /** Absent if nothing about the request may be stored. */
  job?: string;
  /** The larger request checks the URLs of its parts, and is paid for it. */
  threatCheck?: ThreatCheck;
  /** The larger request reserves and counts the credits of its parts, and is billed once, when it ends. */
  isBilledAtItsEnd?: true;
}

interface Terms {
  operation: BilledOperation;
  /** What is reserved. */
  cost: number;
  partOf?: PartOf | undefined;
  /** Its fee is due even if the work fails. */
  threatCheck?: Pick<ThreatCheck, 'credits'> | undefined;
  /** Makes the error that is thrown instead, which says what the failure has cost. */
  explain?: ((error: unknown, cost: Cost) => unknown) | undefined;
}

/** How a request is listed that is not part of a larger one. */
interface ListedRequest {
  id: string;
  /** Whether anything about it may be stored. */
  isStored: boolean;
  target?: string | undefined;
}

export interface Billing {
  /** Charges the price as far as the budget goes. Returns what was charged, or counted for the larger request. */
  charge(price: number, request?: ListedRequest): Promise<number>;
  /** The same for work that stores its result and the charge together. Returns what `store` does. */
  chargeStored<T>(price: number, request: ListedRequest, store: Store<T>): Promise<T>;
}

type Store<T> = (charge: Charge, credits: number) => Promise<T>;

/** Throws INSUFFICIENT_CREDITS before the work begins. */
export async function charged<T>(
  { budgets, ledger, clock }: AccountingDeps,
  caller: Caller,
  { operation, cost, partOf, threatCheck, explain = (error) => error }: Terms,
  work: (billing: Billing) => Promise<T>,
): Promise<T> {
  const reservation = partOf?.isBilledAtItsEnd ? NO_RESERVATION : await budgets.reserve(caller, cost);
  let isCharged = false;

  const settle = async <S>(price: number, request: ListedRequest | undefined, store: Store<S>): Promise<S> => {
    const credits = await reservation.settle(price);
    const billed = partOf ? billedPart(partOf, credits) : { operation, credits, ...(request && listed(request)) };
    const stored = await store({ ...accountOf(caller), ...billed, now: clock.now() }, credits);
    isCharged = true;
    reservation.recorded();
    return stored;
  };
  const charge: Billing['charge'] = (price, request) =>
    settle(price, request, async (entry, credits) => {
      if (request || entry.credits > 0) await ledger.add(entry);
      return credits;
    });

  try {
    return await work({ charge, chargeStored: settle });
  } catch (error) {
    const charges = isCharged ? [] : failureCharges(error, threatCheck);
    const price = totalOf(charges);
    throw explain(error, { charges, credits: price > 0 ? await charge(price) : 0 });
  } finally {
    reservation.release();
  }
}

const billedPart = ({ operation, job, isBilledAtItsEnd }: PartOf, credits: number) => ({
  operation,
  ...(job !== undefined && { job }),
  credits: isBilledAtItsEnd ? 0 : credits,
});

const listed = ({ id, isStored, target }: ListedRequest): Pick<Charge, 'job' | 'request'> => ({
  ...(isStored && { job: id }),
  request: { id, isRatable: isStored, ...(isStored && target !== undefined && { target }) },
});

/** Bills what nobody can know before, such as what a language model has used. */
export async function billUnforeseen(
  deps: AccountingDeps,
  caller: Caller,
  partOf: PartOf,
  cost: number,
): Promise<void> {
  if (cost <= 0) return;
  await charged(deps, caller, { operation: partOf.operation, cost: 0, partOf }, ({ charge }) => charge(cost));
}
