// How much of a run's limits is used: credits of finished steps, the probable credits of those that run, and pages of each host.
import type { RunTools } from '../../jobs/runs/run-handler.ts';
import { isShortage } from '../../policy/budgets/insufficient-credits.ts';
import { LIMIT_CODES, type Refused, type WebLimits } from './web-tools.ts';

export interface RunBudget {
  /** Counts a page of its host, once for each URL. False if that is one page too many. */
  countPage(url: string): boolean;
  /**
   * Reserves credits for `work`, or refuses if that would exceed the limit of the run or the budget of its team. What the
   * budget has set aside then belongs to the step.
   */
  within<T>(credits: number, work: () => Promise<T>): Promise<T | Refused>;
}

type Limits = Pick<WebLimits, 'maxCredits' | 'maxPagesPerHost'>;

export function createRunBudget(run: Pick<RunTools, 'spent' | 'reserve'>, limits: Limits): RunBudget {
  const { maxCredits, maxPagesPerHost } = limits;
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
      if (run.spent().credits + reserved + credits > maxCredits) return outOfCredits(maxCredits);
      reserved += credits;
      try {
        await run.reserve(credits);
        return await work();
      } catch (error) {
        if (!isShortage(error)) throw error;
        return { refused: error.message, code: LIMIT_CODES.credits };
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
