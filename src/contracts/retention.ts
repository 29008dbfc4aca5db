// How long results are kept after the end of the work that made them, as callers write it.
import { z } from 'zod';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const MAX_LENGTH = 5;
const DURATION = /^[1-9]\d{0,3}[hd]$/;

export const retention = z
  .string()
  .max(MAX_LENGTH)
  .regex(DURATION, 'Write `retention` as hours or days, for example "12h" or "7d".')
  .describe(
    'How long the results are kept after the end, in hours or days: `12h`, `7d`. The operator sets the maximum (TRAWL_MAX_RETENTION). Default: that of the team, or 24 hours.',
  );

/** The text has to be valid. */
export const retentionMs = (text: string): number =>
  Number(text.slice(0, -1)) * (text.endsWith('d') ? DAY_MS : HOUR_MS);

/** Undefined if it is not a duration. */
export const readRetention = (text: string): number | undefined =>
  DURATION.test(text) ? retentionMs(text) : undefined;

export const shownRetention = (ms: number): string => (ms % DAY_MS === 0 ? `${ms / DAY_MS}d` : `${ms / HOUR_MS}h`);
