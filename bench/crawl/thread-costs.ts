// What each kind of thread costs while a crawl is watched: processor time by thread, and system time apart. A time that a
// hundred functions share in a profile, such as that of fresh memory, shows here at once.
import { type ThreadTime, threadTimes } from '../measure.ts';
import type { Row } from '../report.ts';

export interface ThreadCosts {
  /** Forgets what was used since the last look. */
  skip(): void;
  /** Counts what was used since the last look. */
  look(): void;
  rows(pages: number): Row[];
}

/** Cheaper threads are one row. */
const LEAST_MS = 0.05;
const OTHERS = 'others';

export function createThreadCosts(pid: number): ThreadCosts {
  const used = new Map<string, { user: number; system: number }>();
  let last = new Map<string, ThreadTime>();

  return {
    skip() {
      last = threadTimes(pid);
    },
    look() {
      const now = threadTimes(pid);
      for (const [thread, { name, user, system }] of now) {
        const before = last.get(thread);
        const sum = used.get(name) ?? { user: 0, system: 0 };
        sum.user += user - (before?.user ?? 0);
        sum.system += system - (before?.system ?? 0);
        used.set(name, sum);
      }
      last = now;
    },
    rows(pages) {
      const ms = (seconds: number) => (seconds * 1000) / pages;
      const named = [...used].map(([name, { user, system }]) => ({ name, ms: ms(user + system), system: ms(system) }));
      const groups = Map.groupBy(named, (one) => (one.ms < LEAST_MS ? OTHERS : one.name));
      const threads = [...groups].map(([name, some]) => ({ name, ms: sum(some.map((one) => one.ms)) }));
      return [
        ...threads
          .toSorted((one, other) => other.ms - one.ms)
          .map((one) => ({ measure: `CPU time a page, ${one.name}`, value: one.ms, unit: 'ms' })),
        { measure: 'system time a page', value: sum(named.map((one) => one.system)), unit: 'ms' },
        ...named
          .filter(({ system }) => system >= LEAST_MS)
          .toSorted((one, other) => other.system - one.system)
          .map((one) => ({ measure: `system time a page, ${one.name}`, value: one.system, unit: 'ms' })),
      ];
    },
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
