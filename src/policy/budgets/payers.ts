// Finds who pays for work that goes on by itself: pages of jobs, minutes of sessions, runs. What is set for the team and its
// key may change meanwhile, also by the command line, so it is looked up again after a moment. What a key has started goes on
// when the key ends, but not beyond the budget that the key had.

import type { Account } from '../../store/ports/teams/ledger.ts';
import type { TeamStore } from '../../store/ports/teams/team-store.ts';
import type { Clock } from '../../util/clock.ts';
import type { Payer } from './budgets.ts';

export interface Payers {
  find(account: Account): Promise<Payer>;
}

interface Deps {
  teams: Pick<TeamStore, 'find' | 'listKeys'>;
  clock: Pick<Clock, 'now'>;
}

/** Jobs ask for every page. */
const KNOWN_FOR_MS = 1_000;
const MAX_KNOWN = 1_000;

export function createPayers({ teams, clock }: Deps): Payers {
  const known = new Map<string, { payer: Promise<Payer>; until: number }>();

  const read = async ({ teamId, key }: Account, before: Promise<Payer> | undefined): Promise<Payer> => {
    const team = (await teams.find(teamId)) ?? { id: teamId, name: '' };
    if (key === undefined) return { team };
    const stored = (await teams.listKeys(teamId)).find(({ prefix }) => prefix === key);
    const limits = stored ? stored.limits : (await before)?.limits;
    return { team, key, ...(limits && { limits }) };
  };

  return {
    find(account) {
      const name = `${account.teamId} ${account.key ?? ''}`;
      const now = clock.now();
      const found = known.get(name);
      if (found && found.until > now) return found.payer;
      if (known.size >= MAX_KNOWN) known.clear();
      const payer = read(account, found?.payer);
      known.set(name, { payer, until: now + KNOWN_FOR_MS });
      payer.catch(() => known.delete(name));
      return payer;
    },
  };
}
