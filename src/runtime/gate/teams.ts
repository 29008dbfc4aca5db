// The teams that have something in flight or waiting at a gate, and which of them is next.
import { createTeamQueue, type TeamQueue } from './team-queue.ts';

export type Teams = ReturnType<typeof createTeams>;

export function createTeams() {
  const all = new Map<string, TeamQueue>();
  /** In the order of their last turn. */
  const waiting = new Set<TeamQueue>();
  return {
    get size() {
      return all.size;
    },
    get waiting() {
      return [...waiting].reduce((sum, team) => sum + team.waiting, 0);
    },
    of(name: string): TeamQueue {
      const team = all.get(name) ?? createTeamQueue(name);
      all.set(name, team);
      return team;
    },
    waits(team: TeamQueue): void {
      waiting.add(team);
    },
    hadTurn(team: TeamQueue): void {
      waiting.delete(team);
      if (team.waiting > 0) waiting.add(team);
    },
    forgetIdle(team: TeamQueue): void {
      if (team.waiting > 0) return;
      waiting.delete(team);
      if (team.active === 0) all.delete(team.name);
    },
    /**
     * Looks at no more teams than hold slots, and one: the first that holds none is next. `isPatientToo`: work that can wait
     * may have a turn.
     */
    next(isPatientToo: boolean): TeamQueue | undefined {
      let fewest: TeamQueue | undefined;
      for (const team of waiting) {
        if (!isPatientToo && team.urgent.size === 0) continue;
        if (!fewest || team.active < fewest.active) fewest = team;
        if (fewest.active === 0) break;
      }
      return fewest;
    },
  };
}
