// The caller of an operation.
import type { Team } from '../store/team-store.ts';

export interface Caller {
  team: Team;
  /** Aborts when the client disconnects or the service stops. */
  signal: AbortSignal;
}
