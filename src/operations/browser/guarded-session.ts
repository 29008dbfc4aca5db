// Opens a browser session whose pages go only where its caller may go: every document is judged before it is requested,
// whoever drives the browser.
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
  let refusal: ServiceError | undefined;
  if (!judge) return { session, refusal: () => undefined };
  const end = () => sessions.end(session.id, wanted.teamId);
  const rules = {
    async mayOpen(url: string) {
      try {
        await judge.check(new URL(url), session.ended);
        return true;
      } catch (error) {
        if (isUrlRefusal(error)) refusal = error;
        return false;
      }
    },
    onBlocked() {},
    onLost: end,
  };
  try {
    await guard(session, rules, signal);
    return { session, refusal: () => refusal };
  } catch (error) {
    await end();
    throw error;
  }
}
