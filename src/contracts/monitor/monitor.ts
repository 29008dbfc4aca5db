// Monitors: what a caller sends to create or change one, and how it is shown.
import { z } from 'zod';
import { nameText } from '../bounds.ts';
import { wholeNumber } from '../query-fields.ts';
import { clientFields } from '../scrape/scrape.ts';
import { monitorWebhook as webhook } from '../webhooks/webhook.ts';
import { checkSummary } from './monitor-check.ts';
import { type MonitorTarget, targets } from './monitor-targets.ts';

export const MIN_INTERVAL_MS = 5 * 60_000;
const MAX_GOAL_LENGTH = 2_000;
const MAX_SCHEDULE_LENGTH = 128;
const MAX_RECIPIENTS = 25;
/** The longest address that SMTP can carry (RFC 5321). */
const MAX_EMAIL_LENGTH = 254;

const name = z
  .string({ error: 'Set `name` to what the monitor is called.' })
  .min(1, '`name` must not be empty.')
  .max(256, '`name` must have at most 256 characters.')
  .describe('What the monitor is called.');

export const schedule = z
  .object(
    {
      cron: z.string().max(MAX_SCHEDULE_LENGTH).optional().describe('Five fields, for example "0 9 * * 1-5".'),
      text: z
        .string()
        .max(MAX_SCHEDULE_LENGTH)
        .optional()
        .describe('For example "every 30 minutes", "hourly", "daily at 9:00", "weekly".'),
      timezone: nameText.default('UTC').describe('A name of the IANA database, for example "Europe/Berlin".'),
    },
    { error: 'Set `schedule` to when checks run, for example { "text": "every 30 minutes" }.' },
  )
  .superRefine(({ cron, text }, context) => {
    if ((cron === undefined) !== (text === undefined)) return;
    context.addIssue({ code: 'custom', message: 'Set either `schedule.cron` or `schedule.text`.' });
  })
  .describe('When checks run: `cron` or `text`.');

export type GivenSchedule = z.output<typeof schedule>;

const email = z.object({
  enabled: z.boolean().default(false).describe('Whether e-mails are sent.'),
  recipients: z
    .array(z.email('This is not an e-mail address.').max(MAX_EMAIL_LENGTH))
    .max(MAX_RECIPIENTS)
    .transform((list) => [...new Set(list.map((address) => address.trim()))])
    .default(() => [])
    .describe('Who gets them. Strangers are asked first.'),
  includeDiffs: z.boolean().default(false).describe('Whether they show what has changed.'),
});
const notification = z
  .object({ email: email.optional().describe('E-mails about changes.') })
  .describe('Who is told about changes.');
export type MonitorNotification = z.output<typeof notification>;

const retentionDays = z.int().min(1).max(365).describe('How many days checks can be read.');
const goal = z
  .string()
  .max(MAX_GOAL_LENGTH)
  .transform((text) => text.trim())
  .describe('What changes are of interest, in plain words.');
const judgeEnabled = z.boolean().describe('Whether changes are judged by the goal. Default: if there is a goal.');
const zeroDataRetention = z.boolean().default(false).describe('Refused: a check needs the pages of the last one.');

export const createMonitorRequest = z.object({
  name,
  schedule,
  targets,
  webhook: webhook.optional(),
  notification: notification.optional(),
  retentionDays: retentionDays.default(30),
  goal: goal.optional(),
  judgeEnabled: judgeEnabled.optional(),
  zeroDataRetention,
  ...clientFields,
});

export type CreateMonitorRequest = z.output<typeof createMonitorRequest>;

const changes = {
  name: name.optional(),
  status: z.enum(['active', 'paused']).optional().describe('`paused` stops the schedule.'),
  schedule: schedule.optional(),
  targets: targets.optional(),
  webhook: webhook.nullable().optional().describe('Null removes it.'),
  notification: notification.nullable().optional().describe('Null removes it.'),
  retentionDays: retentionDays.optional(),
  goal: goal.nullable().optional().describe('Null removes it.'),
  judgeEnabled: judgeEnabled.optional(),
};

export const updateMonitorRequest = z
  .object({ ...changes, zeroDataRetention, ...clientFields })
  .refine((body) => Object.keys(changes).some((field) => body[field as keyof typeof changes] !== undefined), {
    error: `Send at least one field to change: ${Object.keys(changes).join(', ')}.`,
  });

export type UpdateMonitorRequest = z.output<typeof updateMonitorRequest>;

/** A monitor as it is stored: every default is filled in, and a text schedule has become a cron expression. */
export interface MonitorDefinition {
  name: string;
  schedule: { cron: string; timezone: string };
  targets: MonitorTarget[];
  webhook?: z.output<typeof webhook>;
  notification?: MonitorNotification;
  retentionDays: number;
  goal?: string;
  judgeEnabled: boolean;
  /** What the caller has said about that; else it follows from the goal. */
  isJudgeAskedFor?: boolean;
  /** Domains that the key was restricted to that set the targets. */
  keyDomains?: string[];
  /** How often its schedule runs, on average. */
  runsPerMonth: number;
  /** Links that checks make begin with it: the address at which the service was reached when the monitor was last changed. */
  baseUrl: string;
}

export const listQuery = z.object({
  limit: wholeNumber('limit', 1, 100).default(25).describe('1 to 100; 25 by default.'),
  offset: wholeNumber('offset', 0, 999_999_999).default(0).describe('How many to skip.'),
});

const shown = z.record(z.string(), z.unknown());

export const monitorView = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    status: z.enum(['active', 'paused']),
    schedule: z.object({ cron: z.string(), timezone: z.string() }),
    nextRunAt: z.string().nullable().describe('Null while it is paused.'),
    lastRunAt: z.string().nullable().describe('When its last check began.'),
    currentCheckId: z.string().nullable().describe('The check that waits or runs now.'),
    targets: z.array(shown).describe('With their ids. Options that have their default are left out.'),
    webhook: shown.nullable(),
    notification: z.object({ email: email.optional() }).nullable(),
    emailRecipientSubscriptions: z
      .array(
        z.object({
          email: z.string(),
          status: z.enum(['pending', 'confirmed', 'unsubscribed']),
          source: z.enum(['team', 'opt_in', 'legacy']),
          confirmationEmailSent: z.boolean().optional(),
        }),
      )
      .describe('Who gets the e-mails, and who has to confirm first. Empty if no e-mails are wanted or possible.'),
    feedUrl: z.string().describe('An Atom feed of what its checks found. The link works without a key.'),
    retentionDays: z.int(),
    estimatedCreditsPerMonth: z.int(),
    lastCheckSummary: checkSummary.nullable(),
    goal: z.string().nullable(),
    judgeEnabled: z.boolean(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
);

export type MonitorView = z.output<typeof monitorView>;
export type RecipientSubscription = MonitorView['emailRecipientSubscriptions'][number];

export const monitorResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: monitorView,
    warning: z.string().optional(),
  }),
);
export const listMonitorsResponse = z.lazy(() => z.object({ success: z.literal(true), data: z.array(monitorView) }));
export const deleteMonitorResponse = z.lazy(() => z.object({ success: z.literal(true) }));
