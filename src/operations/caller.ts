// What every operation is called with, besides its own dependencies.
import type { Team } from '../store/teams.ts';

export interface Caller {
  team: Team;
  /** Aborts when the client has gone or the service must stop. */
  signal: AbortSignal;
}
