// Pages that say "not found" although the status says that all is well.
import { type Evidence, namesOf } from './evidence.ts';
import { headingSays, saysAny } from './words.ts';

// The more places say it, the more else may stand on the page: suggestions, a search, a cookie notice.
const TWICE_WORDS = 300;
const ONCE_WORDS = 120;
const SAID_WORDS = 40;

const REASON =
  'The page says that there is nothing at this address, although its status is a success; check the address.';

export function soft404Reason(evidence: Evidence): string | undefined {
  const { page, signals, marks } = evidence;
  if (page.status >= 400) return undefined;
  const { notFound } = marks.phrases;
  const places = namesOf(evidence).filter((name) => headingSays(name, notFound)).length;
  if (places >= 2) return signals.ownWords <= TWICE_WORDS ? REASON : undefined;
  if (places === 1) return signals.ownWords <= ONCE_WORDS ? REASON : undefined;
  const unnamed = signals.headings.length === 0;
  return unnamed && signals.ownWords <= SAID_WORDS && saysAny(signals.text, notFound) ? REASON : undefined;
}
