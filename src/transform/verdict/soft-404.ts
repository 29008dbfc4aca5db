// Pages that say "not found" although the status says that all is well.
import { countNamings, type Evidence } from './evidence.ts';
import { saysAny, titleParts } from './words.ts';

// The more places say it, the more else may stand on the page: suggestions, a search, a cookie notice.
const TWICE_WORDS = 200;
const ONCE_WORDS = 100;
const SAID_WORDS = 40;

const REASON =
  'The page says that there is nothing at this address, although its status is a success; check the address.';

export function soft404Reason(evidence: Evidence): string | undefined {
  const { page, signals, marks } = evidence;
  if (page.status >= 400) return undefined;
  const { notFound } = marks.phrases;
  const places = countNamings(evidence, notFound) + countCodes(evidence);
  if (places >= 2) return signals.ownWords <= TWICE_WORDS ? REASON : undefined;
  if (places === 1) return signals.ownWords <= ONCE_WORDS ? REASON : undefined;
  const unnamed = signals.headings.length === 0;
  return unnamed && signals.ownWords <= SAID_WORDS && saysAny(signals.text, notFound) ? REASON : undefined;
}

/** Title and main heading that have a part which is nothing but the name of the error. */
function countCodes({ signals, marks }: Evidence): number {
  const isCode = (part: string) => marks.phrases.notFoundCode.includes(part);
  return [signals.title, signals.headings[0] ?? ''].filter((name) => titleParts(name).some(isCode)).length;
}
