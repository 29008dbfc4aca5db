// Port: monthly budgets of teams and keys. Work that costs credits takes a hold on them first, so that requests which run at
// the same time cannot spend the same credits twice.
import type { Account } from '../../store/ledger.ts';

export interface Budgets {
  /**
   * Sets credits aside: what the work is known to cost. Throws INSUFFICIENT_CREDITS if less is left. Costs nothing for teams
   * and keys without a budget.
   */
  hold(account: Account, credits: number): Promise<Hold>;
  /** What is left this month, without what is held. Infinity for those without a budget. */
  remaining(account: Account): Promise<number>;
}

export interface Hold {
  /**
   * Ends the hold: returns what may be charged of `credits`. That is all of it, as far as the budget goes: what a page costs
   * beyond its hold (the pages of a PDF) is charged as far as credits are left, so a page is never refused after it was read.
   * The caller records exactly this in the ledger, then calls `recorded`.
   */
  settle(credits: number): number;
  /** The charge is in the ledger (or there is none). Safe to call twice, and without `settle`. */
  recorded(): void;
}
