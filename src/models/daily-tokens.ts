// How many tokens each team has used today (UTC). The ledger knows it across restarts; here it is kept up to date.

import { createBoundedMap } from '../util/bounded-map.ts';
import type { Clock } from '../util/clock.ts';

export interface TokenLedger {
  /** How many tokens the team has used since then. */
  usedSince(team: string, from: number): Promise<number>;
  add(team: string, tokens: number): Promise<void>;
}

export interface DailyTokens {
  /** Whether the team is known to have used up its tokens. */
  isUsedUp(team: string): boolean;
  /** Reads what was used before, if that is not known yet. */
  load(team: string): Promise<void>;
  add(team: string, tokens: number): Promise<void>;
  /** Until the next day begins. */
  secondsLeft(): number;
}

const DAY_MS = 24 * 60 * 60_000;
const MAX_TEAMS = 10_000;

export function createDailyTokens(
  limit: number | undefined,
  { ledger, clock }: { ledger: TokenLedger; clock: Clock },
): DailyTokens {
  const used = createBoundedMap<string, { day: number; tokens: number }>({ maxEntries: MAX_TEAMS });
  const today = () => Math.floor(clock.now() / DAY_MS);
  const current = (team: string) => {
    const known = used.get(team);
    return known?.day === today() ? known : undefined;
  };
  return {
    isUsedUp: (team) => limit !== undefined && (current(team)?.tokens ?? 0) >= limit,
    async load(team) {
      if (limit === undefined || current(team)) return;
      const day = today();
      const before = await ledger.usedSince(team, day * DAY_MS);
      // Calls that ended while the ledger was read are in its answer, or will be added.
      if (!current(team)) used.set(team, { day, tokens: before });
    },
    async add(team, tokens) {
      const known = current(team);
      if (known) known.tokens += tokens;
      await ledger.add(team, tokens);
    },
    secondsLeft: () => Math.ceil(((today() + 1) * DAY_MS - clock.now()) / 1000),
  };
}
