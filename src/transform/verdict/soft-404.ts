// Pages that say "not found" although their status is a success.
import { type Evidence, isNamed } from './evidence.ts';
import { headingSays, saysAny, titleParts, titleSays } from './page-phrases.ts';

// The more often the page says it, the more other text it may have: suggestions, a search, a cookie notice.
const TWICE_WORDS = 200;
const ONCE_WORDS = 100;
const SAID_WORDS = 40;

const REASON =
  'The page says that there is nothing at this address, although its status is a success; check the address.';

export function soft404Reason(evidence: Evidence): string | undefined {
  const { page, signals, marks } = evidence;
  if (page.status >= 400) return undefined;
  const { notFound } = marks.phrases;
  const mentions = countMentions(evidence);
  if (mentions === 2) return signals.ownWords <= TWICE_WORDS ? REASON : undefined;
  if (mentions === 1) return signals.ownWords <= ONCE_WORDS ? REASON : undefined;
  if (signals.ownWords > SAID_WORDS) return undefined;
  // The first heading may be the name of the site, and some pages have no heading at all.
  const said = signals.headings.length === 0 ? saysAny(signals.text, notFound) : isNamed(evidence, notFound);
  return said ? REASON : undefined;
}

/** How many of title and first heading say it, as a phrase or as a mere error code. */
function countMentions({ signals, marks }: Evidence): number {
  const { notFound, notFoundCode } = marks.phrases;
  const hasCode = (name: string) => titleParts(name).some((part) => notFoundCode.includes(part));
  const heading = signals.headings[0] ?? '';
  const inTitle = titleSays(signals.title, notFound) || hasCode(signals.title);
  return Number(inTitle) + Number(headingSays(heading, notFound) || hasCode(heading));
}
