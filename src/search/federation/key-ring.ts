// The keys of a provider: the first that works is used, and one that is used up or refused rests while the next takes its place.
import type { Clock } from '../../util/clock.ts';
import type { ProviderProblem } from '../providers/provider-problem.ts';

export interface Key {
  /** Undefined: the provider is asked without one. */
  readonly value: string | undefined;
}

export interface KeyRing {
  /** Those that do not rest, in order of preference. */
  ready(): Key[];
  pause(key: Key, problem: ProviderProblem): void;
  /** Why the one rests that will be back first. */
  readonly problem: ProviderProblem | undefined;
}

interface Held extends Key {
  until: number;
  problem?: ProviderProblem;
}

/** Quotas are counted by the day or the month, and somebody may pay meanwhile. */
const PAUSE_MS = 60 * 60_000;
/** Without a key it is the number of requests in a short time that is limited. */
const KEYLESS_PAUSE_MS = 60_000;

export function createKeyRing(keys: readonly string[], clock: Pick<Clock, 'now'>): KeyRing {
  const held: Held[] = (keys.length > 0 ? keys : [undefined]).map((value) => ({ value, until: 0 }));

  return {
    ready: () => held.filter(({ until }) => until <= clock.now()),
    pause(key, problem) {
      const usual = key.value === undefined ? KEYLESS_PAUSE_MS : PAUSE_MS;
      const restMs = problem.kind === 'quota' ? (problem.retryAfterMs ?? usual) : usual;
      const rested = held.find((one) => one === key);
      if (rested) Object.assign(rested, { until: clock.now() + restMs, problem });
    },
    get problem() {
      return held.reduce((first, one) => (one.until < first.until ? one : first)).problem;
    },
  };
}
