// Anti-bot pages of any status code: interstitials that test the visitor, and pages that block one.
import { type Evidence, isNamed, markedText, totalWords } from './evidence.ts';
import { saysAny } from './page-phrases.ts';
import { findHinted, findMarked, type Vendor } from './vendor-marks.ts';

// Block pages explain themselves at length; interstitials do not.
const NAMED_WORDS = 200;
const SAID_WORDS = 120;
const SAID_LINKS = 12;
const CAPTCHA_WORDS = 50;
const OPENING = 400;

const REFUSALS = new Set([401, 403, 405, 406, 429, 503]);

export function challengeReason(evidence: Evidence): string | undefined {
  const { signals, structure, marks, headerLines } = evidence;
  // A mark alone is proof: long pages were ruled out before.
  const marked = findMarked(marks.challengers, markedText(evidence));
  if (marked) return reason(marked);

  const widget = findMarked(marks.captchaWidgets, structure.marks);
  const isGate = widget !== undefined && (isCaptchaAlone(evidence) || refuses(evidence));
  if (!isGate && !saysChallenge(evidence) && !(refuses(evidence) && hasProof(evidence))) return undefined;
  return reason(findHinted(marks.challengers, structure.marks, signals.text, headerLines) ?? widget);
}

/** Some vendors send a header with challenges only, which makes the page itself irrelevant. */
export function challengeHeaderReason(headerLines: string, challengers: readonly Vendor[]): string | undefined {
  const vendor = challengers.find(({ headers }) => headers.some((header) => headerLines.includes(header)));
  return vendor && reason(vendor);
}

function saysChallenge(evidence: Evidence): boolean {
  const { signals, page, marks } = evidence;
  const { challenge } = marks.phrases;
  if (signals.links > SAID_LINKS) return false;
  if (isNamed(evidence, challenge)) return signals.ownWords <= NAMED_WORDS;
  const refused = REFUSALS.has(page.status);
  const text = refused ? signals.text : signals.text.slice(0, OPENING);
  if (saysAny(text, challenge)) return refused ? signals.ownWords <= NAMED_WORDS : signals.ownWords <= SAID_WORDS;
  return totalWords(evidence) <= SAID_WORDS && saysAny(signals.noscript, challenge);
}

/** "Access denied" may be any error page; with an incident number or the visitor's address it comes from a firewall. */
function refuses(evidence: Evidence): boolean {
  const { signals, marks } = evidence;
  return (
    signals.ownWords <= SAID_WORDS &&
    signals.links <= SAID_LINKS &&
    signals.passwordFields + signals.textFields === 0 &&
    isNamed(evidence, marks.phrases.challengeHint)
  );
}

const hasProof = ({ signals, marks }: Evidence) =>
  saysAny(`${signals.text} ${signals.noscript}`, marks.phrases.challengeProof);

/** A contact form has other fields next to its captcha; a challenge has none. */
function isCaptchaAlone(evidence: Evidence): boolean {
  const { signals } = evidence;
  return (
    totalWords(evidence) <= CAPTCHA_WORDS &&
    signals.links <= SAID_LINKS &&
    signals.passwordFields + signals.textFields === 0
  );
}

function reason(vendor: Vendor | undefined): string {
  const by = vendor ? ` (${vendor.name})` : '';
  return `The site answered with an anti-bot challenge${by} instead of the page; try again later, or through another proxy.`;
}
