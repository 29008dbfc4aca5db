// How much of a run's limits is used: credits of finished steps, the probable credits of those that run, and pages of each host.
import type { RunTools } from '../../jobs/runs/run-handler.ts';
import { LIMIT_CODES, type Refused, type WebLimits } from './web-tools.ts';

export interface RunBudget {
  /** Counts a page of its host, once for each URL. False if that is one page too many. */
  countPage(url: string): boolean;
  /** Reserves credits while `work` runs, or refuses if that would exceed the limit. */
  within<T>(credits: number, work: () => Promise<T>): Promise<T | Refused>;
}

type Limits = Pick<WebLimits, 'maxCredits' | 'maxPagesPerHost'>;

export function createRunBudget(spent: RunTools['spent'], { maxCredits, maxPagesPerHost }: Limits): RunBudget {
  const pages = new Map<string, Set<string>>();
  let reserved = 0;
  return {
    countPage(url) {
      const host = URL.parse(url)?.host ?? '';
      const known = pages.get(host) ?? new Set();
      pages.set(host, known.add(url));
      return known.size <= maxPagesPerHost;
    },
    async within(credits, work) {
      if (spent().credits + reserved + credits > maxCredits) return outOfCredits(maxCredits);
      reserved += credits;
      try {
        return await work();
      } finally {
        reserved -= credits;
      }
    },
  };
}

const outOfCredits = (maxCredits: number): Refused => ({
  refused: `The limit of ${maxCredits} credits is reached.`,
  code: LIMIT_CODES.credits,
});
