// A circuit breaker: after repeated failures requests are blocked for a while, then one trial is allowed, and the block
// gets longer if the trial fails.
import type { Clock } from '../util/clock.ts';

export interface CircuitBreaker {
  /** Whether a request may go out. 'trial' lets one request through while others still get 'open'. */
  enter(): 'closed' | 'open' | 'trial';
  succeeded(): void;
  /** `retryAfterMs`, as the provider requested, opens the circuit at once. */
  failed(retryAfterMs?: number): void;
  /** When the next trial is allowed; undefined while requests may go out. */
  pausedUntil(): number | undefined;
}

export interface BreakerLimits {
  /** Failures in a row that open the circuit; one is enough before the first success. */
  failures: number;
  firstPauseMs: number;
  longestPauseMs: number;
}

const DEFAULT_LIMITS: Readonly<BreakerLimits> = { failures: 3, firstPauseMs: 10_000, longestPauseMs: 5 * 60_000 };

export function createCircuitBreaker(clock: Pick<Clock, 'now'>, own: Partial<BreakerLimits> = {}): CircuitBreaker {
  const limits = { ...DEFAULT_LIMITS, ...own };
  let hasWorked = false;
  let failures = 0;
  let isOnTrial = false;
  /** 0 while the circuit is closed. */
  let pauseMs = 0;
  let until = 0;

  return {
    enter() {
      if (pauseMs === 0) return 'closed';
      if (clock.now() < until) return 'open';
      // If the outcome of the trial is never reported, another one is allowed after the same pause.
      until = clock.now() + pauseMs;
      isOnTrial = true;
      return 'trial';
    },
    succeeded() {
      hasWorked = true;
      isOnTrial = false;
      failures = 0;
      pauseMs = 0;
    },
    failed(retryAfterMs) {
      failures += 1;
      const isOpen = pauseMs > 0;
      // Several requests may be in flight, but only the trial may lengthen the pause.
      const opens = isOpen ? isOnTrial : !hasWorked || failures >= limits.failures || retryAfterMs !== undefined;
      isOnTrial = false;
      if (!opens) return;
      pauseMs = isOpen ? Math.min(pauseMs * 2, limits.longestPauseMs) : limits.firstPauseMs;
      until = clock.now() + Math.max(pauseMs, retryAfterMs ?? 0);
    },
    pausedUntil: () => (pauseMs > 0 && until > clock.now() ? until : undefined),
  };
}
