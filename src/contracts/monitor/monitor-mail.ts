// What the owner of an address answers to an e-mail about a monitor, and the feed of a monitor.
import { z } from 'zod';

const MIN_TOKEN = 16;
const MAX_TOKEN = 64;
const token = z
  .string({ error: 'Set `token` to the one in the link of the e-mail.' })
  .min(MIN_TOKEN)
  .max(MAX_TOKEN)
  .describe('From the link of an e-mail.');

export const mailTokenRequest = z.object({ token });
export const mailTokenQuery = z.object({ token });

const answer = <const Results extends readonly [string, ...string[]]>(results: Results) =>
  z.object({
    success: z.literal(true),
    result: z.enum(results),
    email: z.string(),
    monitorName: z.string().describe('Empty if the monitor no longer exists.'),
  });

export const confirmMailResponse = z.lazy(() => answer(['confirmed', 'already_confirmed']));
export const unsubscribeMailResponse = z.lazy(() => answer(['unsubscribed', 'already_unsubscribed']));
