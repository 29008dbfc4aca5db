// Opens a browser session whose pages go only where its caller may go: every document is judged before it is requested,
// whether code, a prompt or a person drives the browser.
import type { ServiceError } from '../../contracts/errors.ts';
import { isUrlRefusal } from '../../contracts/url-refusals.ts';
import type { ThreatJudge } from '../../policy/threats/threat-judge.ts';
import type { guardDocuments } from '../../sessions/guard-documents.ts';
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
  { sessions, guardDocuments: guard }: GuardDeps,
  wanted: NewSession,
  judge: ThreatJudge | undefined,
  signal: AbortSignal,
): Promise<GuardedSession> {
  const session = await sessions.open(wanted, signal);
  if (!judge) return { session, refusal: () => undefined };
  const end = () => sessions.end(session.id, wanted.teamId);
  const rules = rulesOf(judge, session);
  try {
    await guard(session, { ...rules, onLost: end }, signal);
    return { session, refusal: rules.refusal };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Adds the rules of one call to those of its session, until the returned function is called. */
export const guardCall = (
  { sessions, guardDocuments: guard }: GuardDeps,
  session: BrowserSession,
  judge: ThreatJudge,
  signal: AbortSignal,
): Promise<() => void> =>
  guard(session, { ...rulesOf(judge, session), onLost: () => sessions.end(session.id, session.teamId) }, signal);

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
