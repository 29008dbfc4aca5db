// Plans: named sets of limits. A team's own settings win over its plan.
import type { RateBucket, TeamSettings } from '../contracts/policy.ts';

/** Null is unlimited. */
export interface Limits {
  /** Requests a minute. */
  rates: Readonly<Record<RateBucket, number | null>>;
  maxConcurrency: number | null;
  /** How many requests may wait for a slot. */
  maxQueued: number | null;
  monthlyCredits: number | null;
}

export interface Plans {
  /** The limits of a team: its own, else those of its plan. */
  limitsOf(team: { name: string; settings?: TeamSettings }): Limits;
}
