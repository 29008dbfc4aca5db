// Opens a browser session that goes only where its caller may go, whether code, a prompt or a person drives it. Its proxy
// reaches no other host, whatever asks for it; documents are also judged in the browser, where their whole URL is known.
import type { ServiceError } from '../../contracts/errors/errors.ts';
import { isUrlRefusal } from '../../contracts/threats/url-refusals.ts';
import { oncePerHost } from '../../net/checked-requests.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import type { DocumentRules, guardDocuments } from '../../sessions/guard-documents.ts';
import type { BrowserSession, NewSession, Sessions } from '../../sessions/session.ts';

export interface GuardDeps {
  sessions: Pick<Sessions, 'open' | 'end'>;
  guardDocuments: typeof guardDocuments;
}

export interface GuardedSession {
  session: BrowserSession;
  /** Why a document was kept back last. */
  refusal(): ServiceError | undefined;
}

export async function openGuarded(
  deps: GuardDeps,
  wanted: NewSession,
  threatCheck: ThreatCheck | undefined,
  signal: AbortSignal,
): Promise<GuardedSession> {
  const { sessions } = deps;
  const session = await sessions.open(wanted, signal);
  if (!threatCheck) return { session, refusal: () => undefined };
  const rules = rulesOf(threatCheck, session);
  try {
    await guard(deps, session, threatCheck, rules, signal);
    return { session, refusal: rules.refusal };
  } catch (error) {
    await sessions.end(session.id, wanted.teamId);
    throw error;
  }
}

/** Adds the rules of one call to those of its session, until the returned function is called. */
export const guardCall = (
  deps: GuardDeps,
  session: BrowserSession,
  threatCheck: ThreatCheck,
  signal: AbortSignal,
): Promise<() => void> => guard(deps, session, threatCheck, rulesOf(threatCheck, session), signal);

/** Everything that a session requests is the caller's doing: a program in a page can ask for pictures, too. */
export const keepToHosts = (
  session: Pick<BrowserSession, 'restrictHosts'>,
  { checkHost }: ThreatCheck,
  signal: AbortSignal,
): Promise<() => void> => session.restrictHosts(oncePerHost(checkHost), signal);

async function guard(
  { sessions, guardDocuments: guardPages }: GuardDeps,
  session: BrowserSession,
  threatCheck: ThreatCheck,
  rules: DocumentRules,
  signal: AbortSignal,
): Promise<() => void> {
  const releaseHosts = await keepToHosts(session, threatCheck, signal);
  try {
    const onLost = () => sessions.end(session.id, session.teamId);
    const releaseDocuments = await guardPages(session, { ...rules, onLost }, signal);
    return () => {
      releaseHosts();
      releaseDocuments();
    };
  } catch (error) {
    releaseHosts();
    throw error;
  }
}

function rulesOf(threatCheck: ThreatCheck, { ended }: BrowserSession) {
  let refusal: ServiceError | undefined;
  return {
    async mayOpen(url: string) {
      try {
        await threatCheck.check(new URL(url), ended);
        return true;
      } catch (error) {
        if (isUrlRefusal(error)) refusal = error;
        return false;
      }
    },
    onBlocked() {},
    refusal: () => refusal,
  };
}
