// Tells when everything that a completed job has written can be found by a search: only then is it reported as completed.

import { createBoundedMap } from '../../util/bounded-map.ts';
import type { Clock } from '../../util/clock.ts';
import type { Indexer } from '../indexer.ts';

export interface CompletedJob {
  id: string;
  endedAt: number;
}

export interface SearchableJobs {
  /** Waits a moment for the index. Also true if that has lasted too long: a broken index must not hold back results. */
  canFind(job: CompletedJob, signal: AbortSignal): Promise<boolean>;
}

interface SearchableJobsDeps {
  indexer: Pick<Indexer, 'newest' | 'reached'>;
  clock: Pick<Clock, 'now'>;
}

const MOMENT_MS = 2_000;
const LONGEST_MS = 10 * 60_000;
const MAX_REMEMBERED = 1_000;

export function createSearchableJobs({ indexer, clock }: SearchableJobsDeps): SearchableJobs {
  /** Position that the index must have reached. It may never reach the end of the feed, because other jobs extend it. */
  const lastChanges = createBoundedMap<string, number | 'reached'>({ maxEntries: MAX_REMEMBERED });
  return {
    async canFind({ id, endedAt }, signal) {
      // A job may be continued and end once more.
      const end = `${id} ${endedAt}`;
      const known = lastChanges.get(end);
      if (known === 'reached' || clock.now() - endedAt > LONGEST_MS) return true;
      const last = known ?? (await indexer.newest());
      const isReached = await indexer.reached(last, MOMENT_MS, signal);
      lastChanges.set(end, isReached ? 'reached' : last);
      return isReached;
    },
  };
}
