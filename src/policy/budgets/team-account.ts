// What a team with a budget has used this month and holds now, as a whole and by key; and the holds on it.
import type { ServiceError } from '../../contracts/errors/errors.ts';
import type { UsageBin } from '../../store/ports/teams/ledger.ts';
import type { Reservation } from './budgets.ts';
import type { CreditLimits } from './credit-limits.ts';
import { insufficientCredits } from './insufficient-credits.ts';

interface Count {
  used: number;
  /** Set aside, or settled and not yet in the ledger. */
  held: number;
}

export interface TeamAccount {
  /** Start of the month that `used` is about; 0 before the ledger was read. */
  month: number;
  readAt: number;
  /** Number of open holds. */
  holds: number;
  team: Count;
  keys: Map<string, Count>;
}

export const newAccount = (): TeamAccount => ({ month: 0, readAt: 0, holds: 0, team: newCount(), keys: new Map() });

const newCount = (): Count => ({ used: 0, held: 0 });

/** Takes what the ledger says. Holds stay, because their charges are yet to come. */
export function setUsed(account: TeamAccount, month: number, bins: readonly UsageBin[], now: number): void {
  account.month = month;
  account.readAt = now;
  account.team.used = 0;
  for (const [key, count] of account.keys) {
    if (count.held === 0) account.keys.delete(key);
    else count.used = 0;
  }
  for (const { key, credits } of bins) {
    account.team.used += credits;
    if (key !== null) countOf(account, key).used += credits;
  }
}

function countOf({ keys }: TeamAccount, key: string): Count {
  const count = keys.get(key) ?? newCount();
  keys.set(key, count);
  return count;
}

interface Claim {
  /** Prefix of the key that pays. */
  key: string | undefined;
  limits: CreditLimits;
  now(): number;
}

const NO_COUNT: Readonly<Count> = { used: 0, held: 0 };
const leftOf = (limit: number, { used, held }: Count): number => limit - used - held;

/** Whole credits; 0 if more was used than is allowed now. */
export function creditsLeft(account: TeamAccount, { key, limits }: Omit<Claim, 'now'>): number {
  const ofKey = key === undefined ? Infinity : leftOf(limits.key, account.keys.get(key) ?? NO_COUNT);
  return Math.max(0, Math.floor(Math.min(leftOf(limits.team, account.team), ofKey)));
}

/** Throws INSUFFICIENT_CREDITS. */
export function openReservation(account: TeamAccount, claim: Claim, credits: number): Reservation {
  const counts = [account.team, ...(claim.key === undefined ? [] : [countOf(account, claim.key)])];
  let amount = 0;
  let isOpen = true;
  const change = (to: number) => {
    for (const count of counts) count.held += to - amount;
    amount = to;
  };
  const extend = (more: number) => {
    if (more > creditsLeft(account, claim)) throw refusal(account, claim, more);
    change(amount + more);
  };
  const close = () => {
    change(0);
    isOpen = false;
    account.holds -= 1;
  };
  extend(credits);
  account.holds += 1;
  return {
    extend: async (more) => extend(more),
    async settle(cost) {
      if (!isOpen) return 0;
      change(Math.min(Math.ceil(cost), Math.floor(amount) + creditsLeft(account, claim)));
      return amount;
    },
    recorded() {
      if (!isOpen) return;
      for (const count of counts) count.used += amount;
      close();
    },
    release() {
      if (isOpen) close();
    },
  };
}

function refusal(account: TeamAccount, claim: Claim, needed: number): ServiceError {
  const { key, limits, now } = claim;
  const ofTeam = creditsLeft(account, { key: undefined, limits });
  const left = creditsLeft(account, { key, limits });
  const isOfKey = left < ofTeam;
  return insufficientCredits({ needed, left, limit: isOfKey ? limits.key : limits.team, isOfKey, now: now() });
}
