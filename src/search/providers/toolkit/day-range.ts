// Time ranges for providers that work in whole days.
import type { TimeRange } from '../../../contracts/search/search-query.ts';

export interface DayRange {
  /** YYYY-MM-DD, both included. */
  first?: string;
  last?: string;
}

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

export const dayRange = ({ from, until }: TimeRange = {}): DayRange => ({
  ...(from !== undefined && { first: dayOf(from) }),
  ...(until !== undefined && { last: dayOf(until - 1) }),
});
