// GET and POST /v2/webhooks/...: the webhook calls of a team, sending them again, and trying a receiver.
import { z } from 'zod';
import { headers, nameText, urlText } from '../bounds.ts';

const DELIVERY_STATUSES = ['waiting', 'delivered', 'failed'] as const;

const MAX_DELIVERIES = 100;
const DEFAULT_DELIVERIES = 50;
/** Longer bodies are cut: they are looked at, not processed. */
export const MAX_SHOWN_BODY = 256 * 1024;

export const deliveriesQuery = z.object({
  status: z.enum(DELIVERY_STATUSES).optional().describe('Only calls in this state.'),
  jobId: nameText.optional().describe('Only calls about this job or run.'),
  limit: nameText
    .refine(
      (text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_DELIVERIES,
      `\`limit\` must be a whole number from 1 to ${MAX_DELIVERIES}.`,
    )
    .transform(Number)
    .default(DEFAULT_DELIVERIES)
    .describe(`Number of calls to return, 1 to ${MAX_DELIVERIES}.`),
  cursor: nameText
    .regex(/^\d{1,15}$/, 'Invalid cursor.')
    .transform(Number)
    .optional()
    .describe('The `cursor` of the page before.'),
});

export const delivery = z.lazy(() =>
  z.object({
    id: z.string(),
    event: z.string().describe('Such as `crawl.page`.'),
    jobId: z.string().describe('The job or the run that it reports on.'),
    webhookId: z.string().describe('The same for every attempt, so that receivers recognise repetitions.'),
    url: z
      .string()
      .nullable()
      .describe(
        'The receiver. Values of parameters and long parts of the path are shown as `***`: they may be secrets.',
      ),
    status: z
      .enum(DELIVERY_STATUSES)
      .describe('`waiting` for its first attempt or its next one, `delivered`, or `failed` after the last attempt.'),
    attempts: z.int().describe('Attempts since it was queued last.'),
    createdAt: z.string(),
    triedAt: z.string().nullable().describe('Time of the last attempt.'),
    nextAt: z.string().nullable().describe('When it is sent next. Earlier calls of the same job go first.'),
    statusCode: z.int().nullable().describe('What the receiver answered last. Null if it did not answer.'),
    error: z.string().nullable().describe('Why the last attempt failed.'),
    size: z.int().nullable().describe('Bytes of the body. Null before the first attempt.'),
    canResend: z.boolean().describe('Whether it can be sent again: its content is kept as long as its job.'),
  }),
);

export const deliveriesResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.array(delivery),
    cursor: z.string().nullable(),
    has_more: z.boolean(),
  }),
);

export const deliveryResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: delivery.unwrap().extend({
      headerNames: z.array(z.string()).describe('Names of the headers of the webhook. Their values may be secrets.'),
      body: z.string().nullable().describe('The JSON as it is sent. Null if it is no longer known.'),
      bodyTruncated: z.boolean().describe(`Whether \`body\` was cut after ${MAX_SHOWN_BODY} bytes.`),
    }),
  }),
);

export const resendDeliveryResponse = z.lazy(() => z.object({ success: z.literal(true), data: delivery }));

export const testWebhookRequest = z.strictObject({
  url: urlText('Set `url` to the address of the receiver.').min(1).describe('Where the test event is sent, by POST.'),
  headers: headers.default(() => ({})).describe('Headers to send with it.'),
});

export const testWebhookResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      delivered: z.boolean().describe('Whether the receiver answered with 2xx.'),
      statusCode: z.int().nullable().describe('What the receiver answered. Null if it did not answer.'),
      error: z.string().nullable().describe('Why the receiver did not take the event.'),
      durationMs: z.int(),
      webhookId: z.string(),
      signed: z.boolean().describe('Whether calls of this server carry a signature (TRAWL_WEBHOOK_SECRET).'),
    }),
  }),
);

export type DeliveriesResponse = z.output<typeof deliveriesResponse>;
export type ShownDelivery = z.output<typeof delivery>;
export type DeliveryResponse = z.output<typeof deliveryResponse>;
export type ResendDeliveryResponse = z.output<typeof resendDeliveryResponse>;
export type TestWebhookResponse = z.output<typeof testWebhookResponse>;
