// The statuses with which sites turn a client away, rather than answer about the page.

/** A refusal of this client: another identity may be let in. 406 and 999 are what some firewalls answer. */
const FORBIDDEN = new Set([403, 406, 999]);
/** "Not now": what is over a rate limit gets it, and on many sites whatever looks like a bot. */
const BUSY = new Set([429, 503]);
/** Only another address or credentials can help. */
const TURNED_AWAY = new Set([401, 407]);

export type Refusal = 'forbidden' | 'busy' | 'turned-away';

export function refusalOf(status: number): Refusal | undefined {
  if (FORBIDDEN.has(status)) return 'forbidden';
  if (BUSY.has(status)) return 'busy';
  return TURNED_AWAY.has(status) ? 'turned-away' : undefined;
}
