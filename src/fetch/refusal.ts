// The statuses with which sites turn a client away, rather than answer about the page.
import type { PageHeader } from '../page/page.ts';

/** A refusal of this client: another identity may be let in. 406 and 999 are what some firewalls answer. */
const FORBIDDEN = new Set([403, 406, 999]);
/** "Not now": many sites answer it to whatever looks like a bot. */
const BUSY = new Set([429, 503]);
/** Only another address or credentials can help. */
const TURNED_AWAY = new Set([401, 407]);

export type Refusal = 'forbidden' | 'busy' | 'turned-away';

export function refusalOf({ status, headers }: Pick<PageHeader, 'status' | 'headers'>): Refusal | undefined {
  if (FORBIDDEN.has(status)) return 'forbidden';
  // A site that says when to come back is not asked again at once with another identity.
  if (BUSY.has(status)) return headers['retry-after'] === undefined ? 'busy' : 'turned-away';
  return TURNED_AWAY.has(status) ? 'turned-away' : undefined;
}
