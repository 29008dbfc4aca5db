// A circuit breaker: whoever keeps failing is left alone for a while, then tried once, and left alone for longer if that fails too.
import type { Clock } from '../../util/clock.ts';

export interface CircuitBreaker {
  /** Whether a request may go: 'trial' lets one through while everybody else is still told 'open'. */
  enter(): 'closed' | 'open' | 'trial';
  succeeded(): void;
  /** `retryAfterMs`: what the other side asks for, however well it did before. */
  failed(retryAfterMs?: number): void;
}

export interface BreakerLimits {
  /** Of someone who has worked before; whoever never did is left alone at once. */
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
      // Should nobody hear of the trial again, the next one is a pause away.
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
      // Of several that were under way together, one is enough to make the pause longer.
      const opens = isOpen ? isOnTrial : !hasWorked || failures >= limits.failures || retryAfterMs !== undefined;
      isOnTrial = false;
      if (!opens) return;
      pauseMs = isOpen ? Math.min(pauseMs * 2, limits.longestPauseMs) : limits.firstPauseMs;
      until = clock.now() + Math.max(pauseMs, retryAfterMs ?? 0);
    },
  };
}
