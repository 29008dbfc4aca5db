// GET /v2/team/usage: credits and tokens by day (or hour), by key and by operation, for charts.
import { z } from 'zod';
import { nameText } from '../bounds.ts';

const MAX_DAYS = 92;
const DEFAULT_DAYS = 30;
/** With hours as bins. */
const MAX_DAYS_BY_HOUR = 7;
/** Keys with a list of their own; further ones are added up. */
export const MAX_USAGE_KEYS = 30;

export const teamUsageQuery = z
  .object({
    days: nameText
      .refine(
        (text) => /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_DAYS,
        `\`days\` must be a whole number from 1 to ${MAX_DAYS}.`,
      )
      .transform(Number)
      .default(DEFAULT_DAYS)
      .describe(`How many days, today included: 1 to ${MAX_DAYS}.`),
    by: z
      .enum(['day', 'hour'], { error: '`by` must be `day` or `hour`.' })
      .default('day')
      .describe(`Length of a bin, in UTC. With \`hour\`, \`days\` is at most ${MAX_DAYS_BY_HOUR}.`),
    team: nameText.optional().describe('For the operator: the name or the ID of another team. Default: your own team.'),
  })
  .refine(
    ({ days, by }) => by === 'day' || days <= MAX_DAYS_BY_HOUR,
    `With \`by=hour\`, \`days\` is at most ${MAX_DAYS_BY_HOUR}.`,
  );

const used = {
  credits: z.array(z.int()).describe('For each entry of `starts`.'),
  tokens: z.array(z.int()).describe('Tokens of language models, for each entry of `starts`.'),
  totalCredits: z.int(),
  totalTokens: z.int(),
};

export const teamUsageResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      team: z.string().describe('Name of the team.'),
      by: z.enum(['day', 'hour']),
      starts: z.array(z.string()).describe('The start of each bin, the oldest first. The last bin is not over yet.'),
      totalCredits: z.int(),
      totalTokens: z.int(),
      keys: z
        .array(
          z.object({
            key: z.string().nullable().describe('Prefix of the key. Null: requests without a key.'),
            label: z.string().nullable().describe('What the key is for. Null also if the key is gone.'),
            ...used,
          }),
        )
        .describe(`By key, the one with the most credits first; at most ${MAX_USAGE_KEYS}.`),
      otherKeys: z.object(used).optional().describe('All further keys together.'),
      operations: z
        .array(
          z.object({
            operation: z.string().describe('As in GET /v2/team/activity; `model`: tokens of language models.'),
            ...used,
          }),
        )
        .describe('By operation, the one with the most credits first.'),
    }),
  }),
);

export type TeamUsageResponse = z.output<typeof teamUsageResponse>;
