// A call that waits for a service that does not answer for a while: it is restarting, or has too much to do.
import { ApiError } from '../../client/api-error.ts';
import type { Clock } from '../../util/clock.ts';

/** A restart of a service with a large store takes seconds; a machine that is updated takes minutes. */
const PATIENCE_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
const TEMPORARY = new Set([0, 429, 502, 503, 504]);

export interface PatientTools {
  clock: Clock;
  signal: AbortSignal;
  /** Told once when the service stops answering, and once when it answers again. */
  note(sentence: string): void;
}

/** Throws the last error if the service does not answer within a few minutes. Only for calls that change nothing. */
export async function patientCall<Answer>(
  call: () => Promise<Answer>,
  { clock, signal, note }: PatientTools,
): Promise<Answer> {
  const began = clock.now();
  for (let pause = FIRST_PAUSE_MS, tries = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS), tries += 1) {
    try {
      const answer = await call();
      if (tries > 1) note('The service answers again.');
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError) || !TEMPORARY.has(error.status)) throw error;
      const wait = Math.max(pause, (error.retryAfter ?? 0) * 1_000);
      if (clock.now() - began + wait > PATIENCE_MS) throw error;
      if (tries === 1) note(`${error.message} Trying again.`);
      await clock.sleep(wait, signal);
    }
  }
}
