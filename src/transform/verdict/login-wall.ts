// Pages that show a login or subscription form instead of the content.
import { type Evidence, isNamed, totalWords } from './evidence.ts';
import { headingSays, saysAny, titleSays } from './page-phrases.ts';

const LOGIN_PATH =
  /\/(log-?in|log-?on|sign-?in|sign_in|wp-login\.php|authwall|authorize|sso|saml2?|adfs|session\/new|auth\/[^/]*)([/?#.]|$)/i;
const LOGIN_HOST = /^(login|signin|sso|auth|accounts?|idp)\./i;

const FORM_WORDS = 30;
const FORM_FRAME_WORDS = 200;
const NAMED_FORM_WORDS = 120;
const NAMED_WORDS = 80;
const WALL_WORDS = 150;
const SAID_WORDS = 60;
const SAID_FRAME_WORDS = 150;

const REASON =
  'The site shows a login or subscription form instead of the page; send the cookies or headers of a signed-in session.';

export function loginWallReason(evidence: Evidence): string | undefined {
  const { status } = evidence.page;
  // Other error pages are not login walls, even if they contain a login box.
  if (status >= 400 && status !== 401 && status !== 403) return undefined;
  return isLoginForm(evidence) || isLoginStart(evidence) || saysWall(evidence) ? REASON : undefined;
}

/** A password field is strong evidence only on short pages: many sites have a login box in a corner. */
function isLoginForm(evidence: Evidence): boolean {
  const { signals } = evidence;
  if (signals.passwordFields === 0) return false;
  if (signals.ownWords <= FORM_WORDS && signals.frameWords <= FORM_FRAME_WORDS) return true;
  return signals.ownWords <= NAMED_FORM_WORDS && (callsItselfLogin(evidence) || isLoginUrl(evidence.page.url));
}

/** Two-step logins ask for the email address first; others only offer accounts of other companies. */
function isLoginStart(evidence: Evidence): boolean {
  const { signals, marks } = evidence;
  if (signals.ownWords > NAMED_WORDS || !callsItselfLogin(evidence)) return false;
  const offersAccount = saysAny(signals.text, marks.phrases.singleSignOn);
  return offersAccount || (signals.textFields > 0 && signals.textFields <= 2) || isLoginUrl(evidence.page.url);
}

function saysWall(evidence: Evidence): boolean {
  const { signals, marks } = evidence;
  const { loginWall } = marks.phrases;
  if (signals.ownWords <= WALL_WORDS && isNamed(evidence, loginWall)) return true;
  return signals.ownWords <= SAID_WORDS && totalWords(evidence) <= SAID_FRAME_WORDS && saysAny(signals.text, loginWall);
}

/** Only the first heading counts: another may be the title of a login box in a corner. */
function callsItselfLogin({ signals, marks }: Evidence): boolean {
  const { login } = marks.phrases;
  return titleSays(signals.title, login) || headingSays(signals.headings[0] ?? '', login);
}

function isLoginUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  return LOGIN_HOST.test(hostname) || LOGIN_PATH.test(pathname);
}
