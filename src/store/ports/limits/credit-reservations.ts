// Port: credits that running work has set aside, of budgets that several processes spend. Those of a dead process do not count.

/** Who pays, and how much that may be. */
export interface CreditClaim {
  teamId: string;
  /** Prefix of the key. */
  key?: string;
  /** Monthly credits; Infinity: no budget. */
  limits: { team: number; key: number };
  /** The month that is asked about: when it began, and when the next one begins. */
  month: { from: number; until: number };
}

export interface ReservationName {
  id: string;
  processId: string;
  /** The job whose pages it is for. */
  work?: string;
}

/** What is left, without what is set aside; it may be negative. Infinity: no budget. */
export interface CreditsLeft {
  team: number;
  key: number;
}

export interface ChangedReservation extends CreditsLeft {
  /** What is set aside now; undefined if there was not enough left, and then nothing has changed. */
  held?: number;
}

export interface CreditReservations {
  /** Sets this many credits more aside. What is left is what was left before. */
  extend(name: ReservationName, claim: CreditClaim, credits: number, now: number): Promise<ChangedReservation>;
  /** Sets this many credits aside instead of those before, as far as the budgets go. Returns how many. */
  settle(name: ReservationName, claim: CreditClaim, credits: number, now: number): Promise<number>;
  /** These set nothing aside any more. */
  end(ids: readonly string[]): Promise<void>;
  left(claim: CreditClaim, now: number): Promise<CreditsLeft>;
  /** Whether another hold of this work is open in any process. */
  isHeldFor(work: string, now: number): Promise<boolean>;
}
