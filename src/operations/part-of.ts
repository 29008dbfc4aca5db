// Requests that are part of a larger one, and what the ledger records about them.
import type { BilledOperation } from '../contracts/team.ts';
import type { ThreatJudge } from '../policy/threats/threat-judge.ts';
import type { Charge } from '../store/ledger.ts';

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
