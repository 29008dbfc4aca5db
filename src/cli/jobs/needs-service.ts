// Refuses flags and commands that need a service which outlives the command.
import type { ServiceSession } from '../command.ts';
import { UsageError } from '../usage-error.ts';

const START = 'Start one with `trawl serve`, or name one with --url.';

export function refuseNoWait({ isEmbedded }: ServiceSession, noun: string): void {
  if (!isEmbedded) return;
  throw new UsageError(
    `--no-wait needs a running service: without one, the ${noun} would end with this command. ${START}`,
  );
}

/** `reason` is a sentence. */
export function needRunning({ isEmbedded }: ServiceSession, reason: string): void {
  if (isEmbedded) throw new UsageError(`${reason} ${START}`);
}
