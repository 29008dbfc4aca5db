// Domains without a site: for sale, parked for advertisements, or fresh from the registrar.
import { type Evidence, namesOf, totalWords } from './evidence.ts';
import { findHinted, findMarked, type Vendor } from './marks.ts';
import { headingSays, saysAny, segmentsOf } from './words.ts';

const MARKED_WORDS = 250;
const NAMED_WORDS = 250;
const SAID_WORDS = 100;
const SAID_LINKS = 25;
const LINKS_ONLY_WORDS = 120;

export function parkedReason(evidence: Evidence): string | undefined {
  const { signals, structure, marks, page } = evidence;
  const marked =
    signals.ownWords <= MARKED_WORDS
      ? findMarked(marks.parkers, `${structure.marks} ${page.url.toLowerCase()}`)
      : undefined;
  if (marked) return reason(marked);
  if (!offersDomain(evidence) && !isLinkFarm(evidence)) return undefined;
  return reason(findHinted(marks.parkers, signals.title, signals.text, structure.marks));
}

function offersDomain(evidence: Evidence): boolean {
  const { signals, marks } = evidence;
  const { parked, forSale } = marks.phrases;
  if (signals.links > SAID_LINKS) return false;
  const names = namesOf(evidence);
  if (names.some((name) => headingSays(name, parked))) return signals.ownWords <= NAMED_WORDS;
  if (signals.ownWords > SAID_WORDS) return false;
  return names.some((name) => sellsDomain(name, forSale)) || saysAny(signals.text, parked);
}

const DOMAIN = /(^|\s|")[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(\s|"|$)/u;

/** "example.com is for sale": the name of a domain and the offer, in one breath. */
const sellsDomain = (name: string, forSale: readonly string[]) =>
  segmentsOf(name).some((segment) => DOMAIN.test(segment) && saysAny(segment.replace(DOMAIN, ' '), forSale));

/** Only advertisers' links, under the bare name of the domain. */
function isLinkFarm(evidence: Evidence): boolean {
  const { signals, marks, page } = evidence;
  if (totalWords(evidence) > LINKS_ONLY_WORDS || !URL.canParse(page.url)) return false;
  const host = new URL(page.url).hostname.replace(/^www\./, '');
  return namesOf(evidence).some((name) => name.includes(host)) && saysAny(signals.text, marks.phrases.parkedHint);
}

function reason(vendor: Vendor | undefined): string {
  const where = vendor ? ` (${vendor.name})` : '';
  return `The domain is parked or for sale${where} and has no site of its own; check the address.`;
}
