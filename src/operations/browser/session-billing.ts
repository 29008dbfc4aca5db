// Bills browser sessions: the first minute once they are open, the rest when they end.
import type { BrowserSession, Sessions } from '../../sessions/session.ts';
import type { Charge, Ledger } from '../../store/ledger.ts';
import type { Clock } from '../../util/clock.ts';
import type { Log } from '../../util/log.ts';
import { accountOf, type Caller } from '../caller.ts';
import { sessionCredits } from '../team/credits.ts';

export interface SessionBilling {
  /** A session that is not opened here costs nothing, for example because its page could not be loaded. */
  open(session: BrowserSession, caller: Caller, request: SessionRequest): Promise<void>;
  /** Never rejects. */
  end(session: BrowserSession, durationMs: number): Promise<void>;
}

interface SessionRequest {
  operation: 'browser' | 'interact';
  /** The page that it continues from. */
  target?: string;
}

/** Billed at once: what a killed service did not see the end of is still paid in part. */
const FIRST_MINUTE = sessionCredits(0);

/** A session that cannot be billed ends. */
export async function billSession(
  { sessions, sessionBilling }: { sessions: Pick<Sessions, 'end'>; sessionBilling: SessionBilling },
  session: BrowserSession,
  caller: Caller,
  request: SessionRequest,
): Promise<BrowserSession> {
  try {
    await sessionBilling.open(session, caller, request);
    return session;
  } catch (error) {
    await sessions.end(session.id, caller.team.id);
    throw error;
  }
}

interface Deps {
  ledger: Pick<Ledger, 'add'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

export function createSessionBilling({ ledger, clock, log }: Deps): SessionBilling {
  const open = new Map<string, Pick<Charge, 'teamId' | 'key' | 'operation' | 'job'>>();
  return {
    async open(session, caller, { operation, target }) {
      const { id } = session;
      const charge = { ...accountOf(caller), operation, job: id };
      await ledger.add({
        ...charge,
        credits: FIRST_MINUTE,
        request: { id, isRatable: true, ...(target !== undefined && { target }) },
        now: clock.now(),
      });
      // A session that has ended in the meantime was too short to cost more.
      if (!session.ended.aborted) open.set(id, charge);
    },
    async end({ id }, durationMs) {
      const charge = open.get(id);
      open.delete(id);
      const credits = sessionCredits(durationMs) - FIRST_MINUTE;
      if (!charge || credits === 0) return;
      await ledger.add({ ...charge, credits, now: clock.now() }).catch((error: unknown) => {
        log.error({ err: error }, 'the credits of a session could not be billed');
      });
    },
  };
}
