// The body of a new monitor, from the short arguments that models fill in: pages or queries, a goal, when, and whom to tell.
import type { SentBody } from '../../../contracts/route-types.ts';
import { invalidArgument } from '../../input/invalid-argument.ts';

const DEFAULT_SCHEDULE = 'every 30 minutes';
const MAX_NAME_LENGTH = 256;

export interface MonitorArguments {
  page?: string | undefined;
  pages?: readonly string[] | undefined;
  queries?: readonly string[] | undefined;
  searchWindow?: string | undefined;
  maxResults?: number | undefined;
  includeDomains?: string[] | undefined;
  excludeDomains?: string[] | undefined;
  goal?: string | undefined;
  name?: string | undefined;
  scheduleText?: string | undefined;
  timezone?: string | undefined;
  email?: string | undefined;
  includeDiffs?: boolean | undefined;
  webhookUrl?: string | undefined;
}

/** Pages and queries become a target each. Throws ApiError if there are neither. */
export function monitorBody(given: MonitorArguments): SentBody<'createMonitor'> {
  const { goal, scheduleText = DEFAULT_SCHEDULE, timezone, email, includeDiffs = false, webhookUrl } = given;
  const { searchWindow, maxResults, includeDomains, excludeDomains } = given;
  const urls = filled([given.page, ...(given.pages ?? [])]);
  const queries = filled(given.queries ?? []);
  const [first] = [...queries, ...urls];
  if (first === undefined) {
    throw invalidArgument(
      'Set `page` or `pages` to what to watch, or `queries` to what to search for, or send a `body`.',
    );
  }
  const search = { type: 'search', queries, searchWindow, maxResults, includeDomains, excludeDomains };
  const body = {
    name: given.name ?? `Monitor ${first}`.slice(0, MAX_NAME_LENGTH),
    schedule: { text: scheduleText, ...(timezone && { timezone }) },
    targets: [...(urls.length > 0 ? [{ type: 'scrape', urls }] : []), ...(queries.length > 0 ? [search] : [])],
    ...(goal && { goal }),
    ...(email && { notification: { email: { enabled: true, recipients: filled(email.split(',')), includeDiffs } } }),
    ...(webhookUrl && { webhook: { url: webhookUrl } }),
  };
  // The service checks the values, and says what is wrong with them.
  return body as SentBody<'createMonitor'>;
}

const filled = (texts: readonly (string | undefined)[]): string[] => [
  ...new Set(texts.map((text) => text?.trim() ?? '').filter((text) => text !== '')),
];
