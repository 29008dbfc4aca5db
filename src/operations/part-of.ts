// Requests that are part of a larger one, who pays for them, and what the ledger records about them.
import type { BilledOperation } from '../contracts/team.ts';
import { type Budgets, type Hold, NO_HOLD } from '../policy/budgets/budgets.ts';
import type { ThreatJudge } from '../policy/threats/threat-judge.ts';
import type { Charge } from '../store/ledger.ts';
import type { Caller } from './caller.ts';

/** The larger request that a scrape, search or map is billed as. */
export interface PartOf {
  operation: BilledOperation;
  /** Absent if nothing about the request may be stored. */
  job?: string;
  /** The larger request judges the URLs of its parts, and is paid for it. */
  judge?: ThreatJudge;
  /** The larger request counts the credits of its parts and is billed once, when it ends. */
  isBilledAtItsEnd?: true;
}

export const chargeOfPart = (
  { operation, job, isBilledAtItsEnd }: PartOf,
  credits: number,
): Pick<Charge, 'operation' | 'job' | 'credits'> => ({
  operation,
  ...(job !== undefined && { job }),
  credits: isBilledAtItsEnd ? 0 : credits,
});

/** Sets aside what the request is known to cost. A run that pays at its end has done that itself. */
export const holdFor = (
  budgets: Pick<Budgets, 'hold'>,
  caller: Caller,
  credits: number,
  partOf?: PartOf,
): Promise<Hold> => (partOf?.isBilledAtItsEnd ? Promise.resolve(NO_HOLD) : budgets.hold(caller, credits));
