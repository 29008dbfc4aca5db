// Port: monthly budgets of teams and keys. Work that costs credits takes a hold on them first, so that requests which run at
// the same time cannot spend the same credits twice.
import type { KeyLimits } from '../../contracts/team/policy.ts';
import type { Team } from '../../store/ports/teams/team-store.ts';

/** Who pays. The caller of a request is one; see payers.ts for work that goes on by itself. */
export interface Payer {
  team: Team;
  /** Prefix of the API key. */
  key?: string;
  limits?: KeyLimits;
}

export interface Budgets {
  /**
   * Sets credits aside: what the work is known to cost. Throws INSUFFICIENT_CREDITS if less is left. Costs nothing for teams
   * and keys without a budget. `work` names the job whose pages it is for.
   */
  reserve(payer: Payer, credits: number, work?: string): Promise<Reservation>;
  /** Throws INSUFFICIENT_CREDITS as `hold` would, and sets nothing aside. */
  check(payer: Payer, credits: number): Promise<void>;
  /** What is left this month, without what is held. Infinity for those without a budget. */
  remaining(payer: Payer): Promise<number>;
  /** Whether another process has an open hold for this work, which it may give back. */
  isReservedFor(work: string): Promise<boolean>;
}

export interface Reservation {
  /** Sets more aside. Throws INSUFFICIENT_CREDITS, and then keeps what it had. */
  extend(credits: number): Promise<void>;
  /**
   * Changes the hold to what the work has cost, as far as the budget goes, and returns the whole credits that may be charged.
   * What a page costs beyond its hold (the pages of a PDF) is charged as far as credits are left, so a page is never refused
   * after it was read. The caller records exactly this in the ledger, then calls `recorded`.
   */
  settle(credits: number): Promise<number>;
  /** What was settled is in the ledger. Ends the hold. */
  recorded(): void;
  /** Ends the hold: nothing was charged. Does nothing after `recorded`, so it can stand in a `finally`. */
  release(): void;
}

/** The hold of those who have no budget. */
export const NO_RESERVATION: Reservation = {
  extend: async () => {},
  settle: async (credits) => Math.ceil(credits),
  recorded: () => {},
  release: () => {},
};
