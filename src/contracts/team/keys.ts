// API keys and teams as those who manage them see them.
import { z } from 'zod';
import { nameText } from '../bounds.ts';
import { domainRankingView } from './domain-ranking.ts';
import { KEY_GROUPS, keyLimits, RATE_BUCKETS, teamSettings } from './policy.ts';

const MAX_LABEL = 100;
const MAX_DAYS = 3_650;
const MAX_GRACE_HOURS = 24 * 365;
const DEFAULT_GRACE_HOURS = 24;

const label = z.string().trim().min(1).max(MAX_LABEL);
const expiresAt = z.iso
  .datetime({ offset: true, error: '`expiresAt` must be a time such as 2027-01-31T12:00:00Z.' })
  .max(40)
  .transform((text) => Date.parse(text));
const expiresInDays = z.number().gt(0).max(MAX_DAYS);

const checkExpiry = (request: { expiresAt?: unknown; expiresInDays?: unknown }, context: z.RefinementCtx) => {
  if (request.expiresAt === undefined || request.expiresInDays === undefined) return;
  const message = 'Set `expiresAt` or `expiresInDays`, not both.';
  context.addIssue({ code: 'custom', path: ['expiresInDays'], message });
};

export const createKeyRequest = z
  .strictObject({
    label: label.optional().describe('What the key is for.'),
    limits: keyLimits.optional().describe('What the key is restricted to.'),
    expiresAt: expiresAt.optional().describe('When the key stops working.'),
    expiresInDays: expiresInDays.optional().describe('The same, counted from now.'),
  })
  .superRefine(checkExpiry);
export type CreateKeyRequest = z.output<typeof createKeyRequest>;

/** Null clears; fields that are absent stay as they are. */
export const changeKeyRequest = z
  .strictObject({
    label: label.nullable().optional().describe('What the key is for; null removes it.'),
    limits: keyLimits.optional().describe('Replaces all limits: `{}` removes them.'),
    expiresAt: expiresAt.nullable().optional().describe('Null: the key does not expire.'),
    expiresInDays: expiresInDays.optional().describe('Counted from now.'),
  })
  .superRefine(checkExpiry);
export type ChangeKeyRequest = z.output<typeof changeKeyRequest>;

export const rotateKeyRequest = z.strictObject({
  graceHours: z
    .number()
    .min(0)
    .max(MAX_GRACE_HOURS)
    .default(DEFAULT_GRACE_HOURS)
    .describe('How long the key works as it is now; 0 ends it at once.'),
});
export type RotateKeyRequest = z.output<typeof rotateKeyRequest>;

export const keyView = z.lazy(() =>
  z.object({
    id: z.string(),
    prefix: z.string().describe('The first characters of the key, which stay when it is rotated.'),
    team: z.string().describe('Name of the team.'),
    label: z.string().nullable(),
    limits: z.object({
      operations: z.array(z.enum(KEY_GROUPS)).optional(),
      formats: z.array(z.string()).optional(),
      networks: z.array(z.string()).optional(),
      domains: z.array(z.string()).optional(),
      requestsPerMinute: z.int().optional(),
      monthlyCredits: z.int().optional(),
      ranking: domainRankingView.optional(),
    }),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
    expiresAt: z.string().nullable(),
    previousUntil: z.string().nullable().describe('Until when the key also works as it was before its last rotation.'),
  }),
);
export type KeyView = z.output<typeof keyView>;

export const listKeysResponse = z.lazy(() => z.object({ success: z.literal(true), data: z.array(keyView) }));
export const keyResponse = z.lazy(() => z.object({ success: z.literal(true), data: keyView }));
export const newKeyResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: keyView
      .unwrap()
      .extend({ key: z.string().describe('The key itself. It is in this answer and nowhere else.') }),
  }),
);

const TEAM_FIELDS = Object.keys(teamSettings.shape) as [keyof typeof teamSettings.shape];
export const teamName = nameText.regex(
  /^[\w.-]{1,64}$/,
  'A team name must have 1 to 64 letters, digits, dots, dashes or underscores.',
);

export const createTeamRequest = z.strictObject({
  name: teamName.describe('Name of the team.'),
  ...teamSettings.shape,
});

/** Fields that are absent stay as they are. */
export const changeTeamRequest = z.strictObject({
  ...teamSettings.shape,
  unset: z
    .array(z.enum(TEAM_FIELDS))
    .max(TEAM_FIELDS.length)
    .optional()
    .describe('Settings to remove: then the plan, or the settings of the service, decide.'),
});
export type ChangeTeamRequest = z.output<typeof changeTeamRequest>;

const figure = z.number().nullable();
export const teamView = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    createdAt: z.string(),
    keys: z.int().describe('Number of keys.'),
    settings: teamSettings
      .extend({ ranking: domainRankingView.optional() })
      .describe('What is set for this team alone.'),
    limits: z
      .object({
        rates: z.object(Object.fromEntries(RATE_BUCKETS.map((bucket) => [bucket, figure]))),
        maxConcurrency: figure,
        maxQueued: figure,
        monthlyCredits: figure,
      })
      .describe('What applies, from its settings and its plan. Null is unlimited.'),
  }),
);
export type TeamView = z.output<typeof teamView>;

export const listTeamsResponse = z.lazy(() => z.object({ success: z.literal(true), data: z.array(teamView) }));
export const teamResponse = z.lazy(() => z.object({ success: z.literal(true), data: teamView }));
