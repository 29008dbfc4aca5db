// GET and PUT /v2/team/siem, POST /v2/team/siem/test: where a team streams its audit events to.
import { z } from 'zod';
import { headers, urlText } from '../bounds.ts';
import { AUDIT_ACTIONS } from './audit.ts';

const MAX_TOKEN_LENGTH = 4_096;

const eventKinds = z.array(z.enum(AUDIT_ACTIONS)).max(AUDIT_ACTIONS.length);

export const siemRequest = z.strictObject({
  enabled: z.boolean().describe('Whether events are sent.'),
  destination: z
    .strictObject({
      type: z
        .literal(
          'http',
          'Only destinations of type "http" are supported: a collector that takes JSON lines over HTTPS.',
        )
        .default('http')
        .describe('Always `http`.'),
      url: urlText('Set `destination.url` to the HTTPS address of your collector.').describe(
        'Address of the collector.',
      ),
      token: z
        .string()
        .max(MAX_TOKEN_LENGTH)
        .refine((text) => /^[\x21-\x7e]*$/.test(text), 'A token has no spaces and no characters beyond ASCII.')
        .optional()
        .describe('Sent as `Authorization: Bearer`. Stored sealed and never returned. Absent: stays; empty: removed.'),
      headers: headers
        .optional()
        .describe('Further headers, also secret. Absent: they stay; an empty object removes them.'),
    })
    .describe('Where events are sent.'),
  events: eventKinds.default(() => []).describe('Only events of these kinds. Empty: all.'),
});

const siemState = z.lazy(() =>
  z.object({
    configured: z.boolean(),
    enabled: z.boolean(),
    destination: z
      .object({
        type: z.literal('http'),
        url: z.string().describe('Values of parameters are shown as `***`: they may be secrets.'),
        format: z.literal('ndjson'),
        hasToken: z.boolean(),
        headerNames: z.array(z.string()),
      })
      .nullable(),
    events: eventKinds,
    updatedAt: z.string().nullable(),
    lastDeliveredAt: z.string().nullable(),
    failingSince: z.string().nullable().describe('Since when nothing could be delivered.'),
    lastError: z.string().nullable(),
    backlog: z.int().describe('Events that wait to be delivered.'),
  }),
);

export const siemResponse = z.lazy(() => z.object({ success: z.literal(true), data: siemState }));

export const siemTestResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      delivered: z.boolean(),
      error: z.string().optional().describe('Why the collector did not take the test event.'),
    }),
  }),
);

export type SiemRequest = z.output<typeof siemRequest>;
export type SiemState = z.output<typeof siemState>;
export type SiemResponse = z.output<typeof siemResponse>;
export type SiemTestResponse = z.output<typeof siemTestResponse>;
