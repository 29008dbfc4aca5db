// Opens a browser session that goes only where its caller may go, whether code, a prompt or a person drives it. Its proxy
// reaches no other host, whatever asks for it; documents are also judged in the browser, where their whole URL is known.
import type { ServiceError } from '../../contracts/errors/errors.ts';
import { isUrlRefusal } from '../../contracts/threats/url-refusals.ts';
import { oncePerHost } from '../../net/judged-requests.ts';
import type { ThreatJudge } from '../../policy/threats/threat-judge.ts';
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
  judge: ThreatJudge | undefined,
  signal: AbortSignal,
): Promise<GuardedSession> {
  const { sessions } = deps;
  const session = await sessions.open(wanted, signal);
  if (!judge) return { session, refusal: () => undefined };
  const rules = rulesOf(judge, session);
  try {
    await guard(deps, session, judge, rules, signal);
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
  judge: ThreatJudge,
  signal: AbortSignal,
): Promise<() => void> => guard(deps, session, judge, rulesOf(judge, session), signal);

/** Everything that a session requests is the caller's doing: a program in a page can ask for pictures, too. */
export const keepToHosts = (
  session: Pick<BrowserSession, 'restrictHosts'>,
  { checkHost }: ThreatJudge,
  signal: AbortSignal,
): Promise<() => void> => session.restrictHosts(oncePerHost(checkHost), signal);

async function guard(
  { sessions, guardDocuments: guardPages }: GuardDeps,
  session: BrowserSession,
  judge: ThreatJudge,
  rules: DocumentRules,
  signal: AbortSignal,
): Promise<() => void> {
  const releaseHosts = await keepToHosts(session, judge, signal);
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

function rulesOf(judge: ThreatJudge, { ended }: BrowserSession) {
  let refusal: ServiceError | undefined;
  return {
    async mayOpen(url: string) {
      try {
        await judge.check(new URL(url), ended);
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
