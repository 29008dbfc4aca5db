// The keys of a provider. The first one available is used; a key that is used up or rejected is paused.
import type { Clock } from '../../util/clock.ts';
import type { ProviderProblem } from '../providers/provider-problem.ts';

export interface Key {
  /** Undefined: the provider is used without a key. */
  readonly value: string | undefined;
}

export interface ProviderKeys {
  /** Keys that are not paused, in order of preference. */
  ready(): Key[];
  /** All keys, paused ones included. */
  all(): Key[];
  pause(key: Key, problem: ProviderProblem): void;
  /** The key works again. */
  resume(key: Key): void;
  /** When the first key becomes available; undefined if one is. */
  pausedUntil(): number | undefined;
  /** Why the key that becomes available first is paused. */
  readonly problem: ProviderProblem | undefined;
}

interface KeyState extends Key {
  until: number;
  problem?: ProviderProblem;
}

/** Quotas are per day or month, but the operator may pay meanwhile. */
const PAUSE_MS = 60 * 60_000;
/** Without a key, providers limit requests over a short time. */
const KEYLESS_PAUSE_MS = 60_000;

export function createKeyRing(keys: readonly string[], clock: Pick<Clock, 'now'>): ProviderKeys {
  const held: KeyState[] = (keys.length > 0 ? keys : [undefined]).map((value) => ({ value, until: 0 }));

  return {
    ready: () => held.filter(({ until }) => until <= clock.now()),
    all: () => held,
    resume(key) {
      const resumed = held.find((one) => one === key);
      if (resumed) Object.assign(resumed, { until: 0, problem: undefined });
    },
    pausedUntil() {
      const first = Math.min(...held.map(({ until }) => until));
      return first > clock.now() ? first : undefined;
    },
    pause(key, problem) {
      const usual = key.value === undefined ? KEYLESS_PAUSE_MS : PAUSE_MS;
      const pauseMs = problem.kind === 'quota' ? (problem.retryAfterMs ?? usual) : usual;
      const paused = held.find((one) => one === key);
      if (paused) Object.assign(paused, { until: clock.now() + pauseMs, problem });
    },
    get problem() {
      return held.reduce((first, one) => (one.until < first.until ? one : first)).problem;
    },
  };
}
