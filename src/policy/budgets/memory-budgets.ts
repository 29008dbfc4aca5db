// Budgets of one process: what is used comes from the ledger, what is held and what is about to be recorded is counted here.
// A data folder has one service at a time, so nobody else spends.

import type { Ledger } from '../../store/ports/teams/ledger.ts';
import { monthStart, nextMonth } from '../../text/dates/months.ts';
import type { Clock } from '../../util/clock.ts';
import type { Plans } from '../plan.ts';
import { type Budgets, NO_RESERVATION, type Payer, type Reservation } from './budgets.ts';
import { creditLimits } from './credit-limits.ts';
import { creditsLeft, newAccount, openReservation, setUsed, type TeamAccount } from './team-account.ts';

export interface BudgetsDeps {
  ledger: Pick<Ledger, 'usage'>;
  plans: Pick<Plans, 'limitsOf'>;
  clock: Pick<Clock, 'now'>;
}

/** An account without holds is read again after this time: then charges are seen that were made without a hold. */
const REREAD_MS = 60_000;
/** Beyond this number, accounts without holds are forgotten: the ledger has everything that they know. */
const MAX_ACCOUNTS = 10_000;
const LONGEST_MONTH_MS = 31 * 86_400_000;

export function createBudgets({ ledger, plans, clock }: BudgetsDeps): Budgets {
  const accounts = new Map<string, TeamAccount>();
  const reading = new Map<string, Promise<void>>();

  const find = (teamId: string): TeamAccount => {
    const known = accounts.get(teamId);
    if (known) return known;
    if (accounts.size >= MAX_ACCOUNTS) {
      for (const [id, { holds }] of accounts) if (holds === 0 && !reading.has(id)) accounts.delete(id);
    }
    const account = newAccount();
    accounts.set(teamId, account);
    return account;
  };

  const isCurrent = (account: TeamAccount): boolean =>
    account.month === monthStart(clock.now()) && (account.holds > 0 || clock.now() - account.readAt <= REREAD_MS);

  const read = async (teamId: string, account: TeamAccount): Promise<void> => {
    const month = monthStart(clock.now());
    const bins = await ledger.usage(teamId, { from: month, until: nextMonth(month), binMs: LONGEST_MONTH_MS });
    // A hold was taken meanwhile, and its charge may or may not be in the answer: what was counted here is right.
    if (account.month === month && account.holds > 0) return;
    setUsed(account, month, bins, clock.now());
  };

  const accountOf = async (teamId: string): Promise<TeamAccount> => {
    const account = find(teamId);
    while (!isCurrent(account)) {
      const running = reading.get(teamId) ?? read(teamId, account).finally(() => reading.delete(teamId));
      reading.set(teamId, running);
      await running;
    }
    return account;
  };

  const reserve = async (payer: Payer, credits: number): Promise<Reservation> => {
    const limits = creditLimits(plans, payer);
    if (!limits) return NO_RESERVATION;
    const account = await accountOf(payer.team.id);
    return openReservation(account, { key: payer.key, limits, now: clock.now }, credits);
  };

  return {
    reserve,
    check: async (payer, credits) => (await reserve(payer, credits)).release(),
    async remaining(payer) {
      const limits = creditLimits(plans, payer);
      return limits ? creditsLeft(await accountOf(payer.team.id), { key: payer.key, limits }) : Infinity;
    },
    isReservedFor: async () => false,
  };
}
