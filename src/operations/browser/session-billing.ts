// Bills browser sessions: the first minute once they are open, the others as they pass, the rest when they end. A killed
// service loses at most the minute under way.
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

const MINUTE_MS = 60_000;
/** Billed at once: nothing that was opened is free. */
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
  clock: Clock;
  log: Log;
}

interface Account {
  charge: Pick<Charge, 'teamId' | 'key' | 'operation' | 'job'>;
  /** Credits so far, also those that are being written. */
  billed: number;
}

export function createSessionBilling({ ledger, clock, log }: Deps): SessionBilling {
  const open = new Map<string, Account>();

  /** What could not be written is billed with the next minute, or at the end. */
  const billUpTo = async (account: Account, durationMs: number) => {
    const credits = sessionCredits(durationMs) - account.billed;
    if (credits <= 0) return;
    account.billed += credits;
    await ledger.add({ ...account.charge, credits, now: clock.now() }).catch((error: unknown) => {
      account.billed -= credits;
      log.error({ err: error }, 'the credits of a session could not be billed');
    });
  };
  const billMinutes = async ({ createdAt, ended }: BrowserSession, account: Account) => {
    for (;;) {
      await clock.sleep(MINUTE_MS, ended);
      await billUpTo(account, clock.now() - createdAt);
    }
  };

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
      if (session.ended.aborted) return;
      const account: Account = { charge, billed: FIRST_MINUTE };
      open.set(id, account);
      // The sleep rejects when the session ends.
      billMinutes(session, account).catch(() => {});
    },
    async end({ id }, durationMs) {
      const account = open.get(id);
      open.delete(id);
      if (account) await billUpTo(account, durationMs);
    },
  };
}
