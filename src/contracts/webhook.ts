// Webhooks: where a job sends its events, and which ones.
import { z } from 'zod';
import { headers, jsonObject, MAX_URL_LENGTH, nameText } from './bounds.ts';

export const WEBHOOK_EVENTS = ['started', 'page', 'completed', 'failed', 'cancelled'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

// `page` and `crawl.page` are the same event.
const eventName = nameText
  .transform((name) => name.split('.').at(-1))
  .pipe(z.enum(WEBHOOK_EVENTS, `An event must be one of: ${WEBHOOK_EVENTS.join(', ')}.`));

const MAX_EVENTS = 50;
const metadata = jsonObject('webhook.metadata', { characters: 64 * 1024, depth: 32 });
const url = z.string().min(1).max(MAX_URL_LENGTH);

export const webhook = z.union([
  url.transform((text) => ({ url: text, headers: {}, metadata: {}, events: [...WEBHOOK_EVENTS] })),
  z.object({
    url,
    headers: headers.default(() => ({})),
    metadata: metadata.default(() => ({})),
    events: z
      .array(eventName)
      .max(MAX_EVENTS)
      .default(() => [...WEBHOOK_EVENTS]),
  }),
]);

export type WebhookTarget = z.output<typeof webhook>;
