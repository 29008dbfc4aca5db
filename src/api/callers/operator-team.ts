// The team of the operator as it is set now, for callers that have no key in the store: TRAWL_API_KEY, or authentication
// that is off. Another process may change it, so it is read again after a second.

import { DEFAULT_TEAM } from '../../operations/team/keys.ts';
import type { Team, TeamStore } from '../../store/ports/teams/team-store.ts';
import type { Clock } from '../../util/clock.ts';

export interface OperatorTeam {
  find(): Promise<Team>;
  /** Takes over changed settings at once, if they are those of this team. */
  apply(team: Team): void;
}

interface Deps {
  teams: Pick<TeamStore, 'findByName' | 'ensureTeam'>;
  clock: Pick<Clock, 'now'>;
}

const FRESH_MS = 1_000;

export function createOperatorTeam({ teams, clock }: Deps): OperatorTeam {
  let known: { team: Team; readAt: number } | undefined;
  let reading: Promise<Team> | undefined;

  // The clock may have been set back.
  const isFresh = (readAt: number) => Math.abs(clock.now() - readAt) < FRESH_MS;
  const remember = (team: Team): Team => {
    known = { team, readAt: clock.now() };
    return team;
  };
  const read = async () =>
    remember((await teams.findByName(DEFAULT_TEAM)) ?? (await teams.ensureTeam(DEFAULT_TEAM, clock.now())));

  return {
    async find() {
      if (known && isFresh(known.readAt)) return known.team;
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    apply(team) {
      if (team.name === DEFAULT_TEAM) remember(team);
    },
  };
}
