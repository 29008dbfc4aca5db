// When the same request deserves another try: connection faults, and targets that say "not now".
import { isRetryable } from '../net/wire-failure.ts';
import type { Clock } from '../util/clock.ts';
import type { FetchRequest } from './engine.ts';

const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 250;
// All pauses of one scrape together: beyond that the target's answer, as it is, is worth more than waiting.
const MAX_PAUSES_MS = 10_000;

const BUSY = new Set([429, 503]);

interface Answer {
  status: number;
  headers: Record<string, string>;
}

interface Patience extends Pick<FetchRequest, 'deadline' | 'isBusyFinal'> {
  clock: Clock;
  signal: AbortSignal;
}

/** Calls `attempt` until it brings an answer that can stand, or patience ends. */
export async function withRetries<T extends Answer>(
  attempt: () => Promise<T>,
  { clock, deadline, isBusyFinal = false, signal }: Patience,
): Promise<T> {
  let paused = 0;
  for (let tries = 1; ; tries += 1) {
    const result = await attempt().catch((error: unknown) => error as Error);
    const now = clock.now();
    const pause = pauseBefore(result, tries, isBusyFinal, now);
    const worthwhile =
      pause !== undefined && tries < MAX_TRIES && paused + pause <= MAX_PAUSES_MS && now + pause < deadline;
    if (!worthwhile) {
      if (result instanceof Error) throw result;
      return result;
    }
    paused += pause;
    await clock.sleep(pause, signal);
  }
}

/** How long to wait before trying again, or undefined when the result is final. */
function pauseBefore(result: Answer | Error, tries: number, isBusyFinal: boolean, now: number): number | undefined {
  const backOff = FIRST_PAUSE_MS * 2 ** (tries - 1);
  if (result instanceof Error) return isRetryable(result) ? backOff : undefined;
  if (isBusyFinal || !BUSY.has(result.status)) return undefined;
  return retryAfter(result.headers['retry-after'], now) ?? backOff;
}

/** Retry-After in milliseconds: seconds or an HTTP date. */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
