// The per-request override of a team's threat policy. Only the shape is checked; teams without the feature get 403.
import { z } from 'zod';
import { nameText } from './bounds.ts';

const domain = nameText.regex(
  /^(\*\.)?([a-z0-9-]+\.)+[a-z0-9-]+$/i,
  'Write a domain or `*.domain`, without protocol, path or port.',
);
const domains = z.array(domain).max(1000);

export const threatProtection = z.object({
  mode: z.enum(['off', 'normal', 'manual-only', 'zscaler']).optional(),
  blacklist: domains.optional(),
  whitelist: domains.optional(),
  blockedTlds: z
    .array(nameText.regex(/^[a-z0-9-]+$/, 'Write a top-level domain in lower case, without a dot.'))
    .max(1000)
    .optional(),
  failurePolicy: z.enum(['open', 'closed']).optional(),
  riskScoreThreshold: z.int().min(0).max(100).optional(),
});
