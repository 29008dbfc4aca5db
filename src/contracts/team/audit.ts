// GET /v2/team/audit: who changed what, from where, and what was refused for reasons of security.
import { z } from 'zod';
import { nameText } from '../bounds.ts';

export const AUDIT_ACTIONS = [
  'key.created',
  'key.changed',
  'key.rotated',
  'key.revoked',
  'key.refused',
  'key.claimed',
  'team.created',
  'team.changed',
  'threat-policy.changed',
  'pages.deleted',
  'threat.blocked',
  'siem.changed',
  'limit.reached',
  'injection.refused',
  'network.refused',
  'agent.registered',
  'login.approved',
  'console.login',
  'console.logout',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const MAX_EVENTS = 100;
const DEFAULT_EVENTS = 50;

export const auditQuery = z.object({
  action: z.enum(AUDIT_ACTIONS).optional().describe('Only events of this kind.'),
  team: nameText
    .optional()
    .describe('For the operator: the name or the ID of another team, or `all`. Default: your own team.'),
  limit: nameText
    .refine(
      (text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_EVENTS,
      `\`limit\` must be a whole number from 1 to ${MAX_EVENTS}.`,
    )
    .transform(Number)
    .default(DEFAULT_EVENTS)
    .describe(`Number of events to return, 1 to ${MAX_EVENTS}.`),
  cursor: nameText
    .regex(/^\d{1,15}$/, 'Invalid cursor.')
    .transform(Number)
    .optional()
    .describe('The `cursor` of the page before.'),
});

/** As the log and the stream to a collector show it. */
export const auditEvent = z.lazy(() =>
  z.object({
    time: z.string(),
    id: z.int().describe('Increases with time.'),
    team: z.string(),
    actor: z
      .string()
      .describe(
        'Prefix of the key, `operator` on the command line or with a one-time link of the console, `system`, or `anonymous` for requests without a trace.',
      ),
    address: z.string().nullable().describe('Address of the caller.'),
    action: z.enum(AUDIT_ACTIONS),
    target: z.string().nullable().describe('What it was done to, such as the prefix of a key, or a host.'),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  }),
);

export const auditResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.array(auditEvent),
    cursor: z.string().nullable(),
    has_more: z.boolean(),
  }),
);

export type AuditResponse = z.output<typeof auditResponse>;
export type ShownAuditEvent = z.output<typeof auditEvent>;
