// Webhooks: where a job or a run sends its events, and which ones. Each kind has its own list of events.
import { z } from 'zod';
import { headers, jsonObject, MAX_URL_LENGTH, nameText } from '../bounds.ts';

/** Events of crawls and batches. */
export const WEBHOOK_EVENTS = ['started', 'page', 'completed', 'failed', 'cancelled'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const AGENT_EVENTS = [
  'agent.started',
  'agent.action',
  'agent.completed',
  'agent.failed',
  'agent.cancelled',
] as const;
export const EXTRACT_EVENTS = ['extract.started', 'extract.completed', 'extract.failed'] as const;
export const MONITOR_EVENTS = ['monitor.page', 'monitor.check.completed'] as const;

const MAX_EVENTS = 50;
const metadata = jsonObject('webhook.metadata', { characters: 64 * 1024, depth: 32 });
const url = z.string().min(1).max(MAX_URL_LENGTH).describe('Where events are sent, by POST.');

/** `one` reads an entry of `events`; undefined for events that callers may list but that are never sent. */
function webhookFor<Event extends string>(events: readonly Event[], one: (name: string) => Event | undefined | null) {
  const problem = `An event must be one of: ${events.join(', ')}.`;
  const entry = nameText.refine((name) => one(name) !== null, problem);
  return z
    .union([
      url.transform((text) => ({ url: text, headers: {}, metadata: {}, events: [...events] })),
      z.object({
        url,
        headers: headers.default(() => ({})).describe('Headers to send with each event.'),
        metadata: metadata.default(() => ({})).describe('Sent back with each event.'),
        events: z
          .array(entry)
          .max(MAX_EVENTS)
          .transform((names) => events.filter((event) => names.some((name) => one(name) === event)))
          .default(() => [...events])
          .describe('Which events to send; all by default.'),
      }),
    ])
    .describe('Where to send events: a URL, or an object with headers and a choice of events.');
}

// `page`, `crawl.page` and `batch_scrape.page` are the same event.
const jobEvent = (name: string) => WEBHOOK_EVENTS.find((event) => event === name.split('.').at(-1)) ?? null;

/** The whole name of an event (`monitor.check.completed`), or what follows one of its dots, is accepted. */
const runEvent =
  <Event extends string>(events: readonly Event[], neverSent: readonly string[] = []) =>
  (name: string): Event | undefined | null =>
    neverSent.includes(name) ? undefined : (events.find((event) => `.${event}`.endsWith(`.${name}`)) ?? null);

export const webhook = webhookFor(WEBHOOK_EVENTS, jobEvent);
export const agentWebhook = webhookFor(AGENT_EVENTS, runEvent(AGENT_EVENTS));
// The public clients let callers list the event of pages here, too.
export const extractWebhook = webhookFor(EXTRACT_EVENTS, runEvent(EXTRACT_EVENTS, ['page', 'extract.page']));
export const monitorWebhook = webhookFor(MONITOR_EVENTS, runEvent(MONITOR_EVENTS));

export type WebhookTarget = z.output<typeof webhook>;
