// Domains without a site: for sale, parked with advertisements, or just registered.
import { type Evidence, isNamed, markedText } from './evidence.ts';
import { saysAny, titleParts } from './page-phrases.ts';
import { findHinted, findMarked, type Vendor } from './vendor-marks.ts';

const NAMED_WORDS = 160;
const SAID_WORDS = 100;
const SAID_LINKS = 25;
const FARM_WORDS = 40;
const FARM_LINK_WORDS = 100;

export function parkedReason(evidence: Evidence): string | undefined {
  const { signals, structure, marks } = evidence;
  const marked = findMarked(marks.parkers, markedText(evidence));
  if (marked) return reason(marked);
  if (!offersDomain(evidence) && !isLinkFarm(evidence)) return undefined;
  return reason(findHinted(marks.parkers, signals.title, signals.text, structure.marks));
}

function offersDomain(evidence: Evidence): boolean {
  const { signals, marks } = evidence;
  const { parked } = marks.phrases;
  if (signals.links > SAID_LINKS) return false;
  if (isNamed(evidence, parked)) return signals.ownWords <= NAMED_WORDS;
  if (signals.ownWords > SAID_WORDS) return false;
  return sellsItself(evidence) || saysAny(signals.text, parked);
}

const namesOf = ({ signals }: Evidence) => [signals.title, ...signals.headings];

/** "example.com is for sale": the domain and the offer in one phrase, or each as a phrase of its own. */
function sellsItself(evidence: Evidence): boolean {
  const { forSale } = evidence.marks.phrases;
  const host = hostOf(evidence);
  const parts = namesOf(evidence).flatMap(titleParts);
  const named = parts.filter((part) => part.includes(host));
  return named.some(
    (part) => saysAny(part, forSale) || (part === host && parts.some((other) => forSale.includes(other))),
  );
}

/** Only links of advertisers, under the name of the domain. */
function isLinkFarm(evidence: Evidence): boolean {
  const { signals, marks } = evidence;
  const host = hostOf(evidence);
  return (
    signals.ownWords <= FARM_WORDS &&
    signals.frameWords <= FARM_LINK_WORDS &&
    namesOf(evidence).some((name) => name.includes(host)) &&
    saysAny(signals.text, marks.phrases.parkedHint)
  );
}

/** The domain without www; for an invalid URL, a name that no page contains. */
const hostOf = ({ page }: Evidence) =>
  URL.canParse(page.url) ? new URL(page.url).hostname.replace(/^www\./, '') : '\0';

function reason(vendor: Vendor | undefined): string {
  const where = vendor ? ` (${vendor.name})` : '';
  return `The domain is parked or for sale${where} and has no site of its own; check the address.`;
}
