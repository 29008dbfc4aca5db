// Whether a model can be asked at the moment. One that the operator has to mend, or that does not answer, is not asked for
// a while; then one call tries again.
import { createCircuitBreaker } from '../runtime/circuit-breaker.ts';
import type { Log } from '../runtime/log.ts';
import type { Clock } from '../util/clock.ts';
import { isOperatorProblem, isTemporary, type ModelProblem } from './model-problem.ts';

export interface Availability {
  /** Why the model is not asked now; undefined: it may be. */
  pausedBy(): string | undefined;
  succeeded(): void;
  failed(problem: ModelProblem): void;
  /** What the operator is told. */
  status(): AvailabilityStatus;
}

export interface AvailabilityStatus {
  /** unknown: not asked yet. */
  state: 'unknown' | 'answers' | 'fails';
  problem?: string;
  pausedUntil?: number;
  lastAnswerAt?: number;
  lastFailureAt?: number;
}

/** Keys and quotas are mended at the provider, without a restart. */
const OPERATOR_PAUSE_MS = 10 * 60_000;

export function createAvailability(
  model: string,
  { clock, log }: { clock: Clock; log: Pick<Log, 'info' | 'warn'> },
): Availability {
  const breaker = createCircuitBreaker(clock);
  let state: AvailabilityStatus['state'] = 'unknown';
  let problem: string | undefined;
  let lastAnswerAt: number | undefined;
  let lastFailureAt: number | undefined;
  return {
    pausedBy: () => (breaker.enter() === 'open' ? (problem ?? 'cannot be reached') : undefined),
    succeeded() {
      if (state !== 'answers') log.info({ model }, 'the language model answers');
      breaker.succeeded();
      state = 'answers';
      problem = undefined;
      lastAnswerAt = clock.now();
    },
    failed(given) {
      if (!isOperatorProblem(given) && !isTemporary(given)) return;
      // One line for each reason, not one for each call.
      if (problem !== given.message) log.warn({ model, problem: given.message }, 'the language model is not used now');
      state = 'fails';
      problem = given.message;
      lastFailureAt = clock.now();
      breaker.failed(isOperatorProblem(given) ? OPERATOR_PAUSE_MS : given.retryAfterMs);
    },
    status() {
      const pausedUntil = breaker.pausedUntil();
      return {
        state,
        ...(problem !== undefined && { problem }),
        ...(pausedUntil !== undefined && { pausedUntil }),
        ...(lastAnswerAt !== undefined && { lastAnswerAt }),
        ...(lastFailureAt !== undefined && { lastFailureAt }),
      };
    },
  };
}
