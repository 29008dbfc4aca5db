// Retries requests that failed to connect, and those that the target answered with "not now" (429, 503).
import { retryAfter } from '../net/http/retry-after.ts';
import { isRetryable } from '../net/wire-failure.ts';
import type { Clock } from '../util/clock.ts';
import type { FetchRequest } from './engine.ts';

const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 250;
// Limit for all pauses of a scrape together. Beyond it, the target's answer is more useful than waiting.
const MAX_PAUSES_MS = 10_000;

const BUSY = new Set([429, 503]);

interface Answer {
  status: number;
  headers: Record<string, string>;
}

interface RetryLimits extends Pick<FetchRequest, 'deadline' | 'isBusyFinal'> {
  clock: Clock;
  signal: AbortSignal;
}

/** Calls `attempt` until its result is final or the limits are reached. */
export async function withRetries<T extends Answer>(
  attempt: () => Promise<T>,
  { clock, deadline, isBusyFinal = false, signal }: RetryLimits,
): Promise<T> {
  let paused = 0;
  for (let tries = 1; ; tries += 1) {
    const result = await attempt().catch((error: unknown) => error as Error);
    const now = clock.now();
    const pause = pauseBefore(result, tries, isBusyFinal, now);
    const isWorthwhile =
      pause !== undefined && tries < MAX_TRIES && paused + pause <= MAX_PAUSES_MS && now + pause < deadline;
    if (!isWorthwhile) {
      if (result instanceof Error) throw result;
      return result;
    }
    paused += pause;
    await clock.sleep(pause, signal);
  }
}

/** How long to wait before the next try; undefined when the result is final. */
function pauseBefore(result: Answer | Error, tries: number, isBusyFinal: boolean, now: number): number | undefined {
  const backOff = FIRST_PAUSE_MS * 2 ** (tries - 1);
  if (result instanceof Error) return isRetryable(result) ? backOff : undefined;
  if (isBusyFinal || !BUSY.has(result.status)) return undefined;
  return retryAfter(result.headers['retry-after'], now) ?? backOff;
}
