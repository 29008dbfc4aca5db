// Webhooks: where a job sends its events, and which ones.
import { z } from 'zod';
import { headerName, headerValue } from './scrape-options.ts';

export const WEBHOOK_EVENTS = ['started', 'page', 'completed', 'failed', 'cancelled'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

// `page` and `crawl.page` are the same event.
const eventName = z
  .string()
  .transform((name) => name.split('.').at(-1))
  .pipe(z.enum(WEBHOOK_EVENTS, `An event must be one of: ${WEBHOOK_EVENTS.join(', ')}.`));

const url = z.string().min(1).max(16_384);

export const webhook = z.union([
  url.transform((text) => ({ url: text, headers: {}, metadata: {}, events: [...WEBHOOK_EVENTS] })),
  z.object({
    url,
    headers: z.record(headerName, headerValue).default(() => ({})),
    metadata: z.record(z.string(), z.unknown()).default(() => ({})),
    events: z.array(eventName).default(() => [...WEBHOOK_EVENTS]),
  }),
]);

export type WebhookTarget = z.output<typeof webhook>;
