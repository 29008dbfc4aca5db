// Domains without a site: for sale, parked for advertisements, or fresh from the registrar.
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

/** "example.com is for sale": the name of the domain and the offer in one breath, or each as a line of its own. */
function sellsItself(evidence: Evidence): boolean {
  const { forSale } = evidence.marks.phrases;
  const host = hostOf(evidence);
  const parts = namesOf(evidence).flatMap(titleParts);
  const named = parts.filter((part) => part.includes(host));
  return named.some(
    (part) => saysAny(part, forSale) || (part === host && parts.some((other) => forSale.includes(other))),
  );
}

/** Only advertisers' links, under the bare name of the domain. */
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

/** The bare name of the domain; an address that is none gives a name that no page has. */
const hostOf = ({ page }: Evidence) =>
  URL.canParse(page.url) ? new URL(page.url).hostname.replace(/^www\./, '') : '\0';

function reason(vendor: Vendor | undefined): string {
  const where = vendor ? ` (${vendor.name})` : '';
  return `The domain is parked or for sale${where} and has no site of its own; check the address.`;
}
