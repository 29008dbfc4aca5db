// What is known about one provider since the start: how often it was asked, whether it answered, and its last problem.
import type { Clock } from '../../util/clock.ts';
import type { ProviderProblem } from '../providers/provider-problem.ts';

export interface ProviderHealth {
  /** unknown: not asked since the start. failing: its last answer was an error, but it is asked again. */
  state: 'answers' | 'failing' | 'paused' | 'unknown';
  /** Set while it is paused. */
  pausedUntil?: number;
  requests: number;
  failures: number;
  lastAnswerAt?: number;
  /** The text follows its name and a colon. */
  lastProblem?: { text: string; at: number };
}

export interface ProviderRecord {
  asked(): void;
  answered(): void;
  failed(problem: ProviderProblem): void;
  health(pausedUntil: number | undefined): ProviderHealth;
}

export function createProviderRecord(clock: Pick<Clock, 'now'>): ProviderRecord {
  const counts = { requests: 0, failures: 0 };
  let isFailing = false;
  let lastAnswerAt: number | undefined;
  let lastProblem: ProviderHealth['lastProblem'];
  const stateOf = (isPaused: boolean): ProviderHealth['state'] => {
    if (isPaused) return 'paused';
    if (isFailing) return 'failing';
    return lastAnswerAt === undefined ? 'unknown' : 'answers';
  };
  return {
    asked() {
      counts.requests += 1;
    },
    answered() {
      isFailing = false;
      lastAnswerAt = clock.now();
    },
    failed({ message }) {
      counts.failures += 1;
      isFailing = true;
      lastProblem = { text: message, at: clock.now() };
    },
    health: (pausedUntil) => ({
      state: stateOf(pausedUntil !== undefined),
      ...counts,
      ...(pausedUntil !== undefined && { pausedUntil }),
      ...(lastAnswerAt !== undefined && { lastAnswerAt }),
      ...(lastProblem && { lastProblem }),
    }),
  };
}

/** Health of a provider that has had no request since the start. */
export const NEVER_ASKED: ProviderHealth = { state: 'unknown', requests: 0, failures: 0 };
