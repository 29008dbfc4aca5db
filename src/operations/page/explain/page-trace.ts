// What is noted while a request with `explain` is served: when it began, the cache, the fetch, and where the time went.
import type { Explanation, Stage } from '../../../contracts/scrape/explanation.ts';
import type { FetchTrace } from '../../../fetch/explain/attempt-notes.ts';
import type { Attempt } from '../../../fetch/plan.ts';
import type { Clock } from '../../../util/clock.ts';

export interface PageTrace extends FetchTrace {
  began: number;
  plan?: { reason: string; attempts: readonly Attempt[] };
  stages: { stage: Stage; ms: number }[];
  cache?: Omit<NonNullable<Explanation['cache']>, 'isStored'>;
}

export const openTrace = (began: number): PageTrace => ({ began, stages: [], attempts: [] });

/** Notes how long a stage took, also if it failed. */
export async function timed<T>(
  trace: PageTrace | undefined,
  clock: Pick<Clock, 'now'>,
  stage: Stage,
  work: () => Promise<T>,
): Promise<T> {
  if (!trace) return work();
  const began = clock.now();
  try {
    return await work();
  } finally {
    trace.stages.push({ stage, ms: clock.now() - began });
  }
}
