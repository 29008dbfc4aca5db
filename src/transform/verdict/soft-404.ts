// Pages that say "not found" although the status says that all is well.
import { type Evidence, isNamed } from './evidence.ts';
import { headingSays, saysAny, titleParts, titleSays } from './page-phrases.ts';

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
  const places = countPlaces(evidence);
  if (places === 2) return signals.ownWords <= TWICE_WORDS ? REASON : undefined;
  if (places === 1) return signals.ownWords <= ONCE_WORDS ? REASON : undefined;
  if (signals.ownWords > SAID_WORDS) return undefined;
  // The main heading may be the name of the site; some pages have no heading at all.
  const said = signals.headings.length === 0 ? saysAny(signals.text, notFound) : isNamed(evidence, notFound);
  return said ? REASON : undefined;
}

/** Title and main heading: how many of them say it, in words or by nothing but the name of the error? */
function countPlaces({ signals, marks }: Evidence): number {
  const { notFound, notFoundCode } = marks.phrases;
  const hasCode = (name: string) => titleParts(name).some((part) => notFoundCode.includes(part));
  const heading = signals.headings[0] ?? '';
  const inTitle = titleSays(signals.title, notFound) || hasCode(signals.title);
  return Number(inTitle) + Number(headingSays(heading, notFound) || hasCode(heading));
}
