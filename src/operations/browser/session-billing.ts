// Bills browser sessions: the first minute once they are open, the others as they pass, the rest when they end. A killed
// service loses at most the minute under way.
import { ServiceError } from '../../contracts/errors.ts';
import type { ThreatJudge } from '../../policy/threats/threat-judge.ts';
import type { BrowserSession, Sessions } from '../../sessions/session.ts';
import type { Charge, Ledger } from '../../store/ledger.ts';
import type { Clock } from '../../util/clock.ts';
import type { Log } from '../../util/log.ts';
import { accountOf, type Caller } from '../caller.ts';
import { sessionCredits } from '../team/credits.ts';
import type { KeyWatch } from '../team/key-watch.ts';

export interface SessionBilling {
  /** A session that is not opened here costs nothing, for example because its page could not be loaded. */
  open(session: BrowserSession, caller: Caller, request: SessionRequest): Promise<void>;
  /** A prompt runs in the session, which makes all of its minutes more expensive. */
  usePrompt(session: BrowserSession): Promise<void>;
  /** What a session of this length costs. */
  credits(session: BrowserSession, durationMs: number): number;
  /** Never rejects. */
  end(session: BrowserSession, durationMs: number): Promise<void>;
}

interface SessionRequest {
  operation: 'browser' | 'interact';
  /** The page that it continues from. */
  target?: string;
  /** Judges the documents of the session, which is paid with it. */
  judge: ThreatJudge | undefined;
}

const MINUTE_MS = 60_000;
/** Billed at once: nothing that was opened is free. */
const FIRST_MINUTE = sessionCredits(0, { isPrompted: false });

/** A session that cannot be billed ends, and so does one whose key ends. */
export async function billSession(
  { sessions, sessionBilling, keyWatch }: BilledSessionDeps,
  session: BrowserSession,
  caller: Caller,
  request: SessionRequest,
): Promise<BrowserSession> {
  try {
    await sessionBilling.open(session, caller, request);
    const end = () => sessions.end(session.id, caller.team.id, new ServiceError('SESSION_KEY_ENDED'));
    keyWatch.follow(caller.keyHash, end, session.ended);
    return session;
  } catch (error) {
    await sessions.end(session.id, caller.team.id);
    throw error;
  }
}

export interface BilledSessionDeps {
  sessions: Pick<Sessions, 'end'>;
  sessionBilling: SessionBilling;
  keyWatch: Pick<KeyWatch, 'follow'>;
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
  const prompted = new WeakSet<BrowserSession>();
  const judges = new WeakMap<BrowserSession, ThreatJudge>();
  const creditsOf = (session: BrowserSession, durationMs: number) =>
    sessionCredits(durationMs, { isPrompted: prompted.has(session) }) + (judges.get(session)?.credits() ?? 0);

  /** What could not be written is billed with the next minute, or at the end. */
  const billUpTo = async (session: BrowserSession, account: Account, durationMs: number) => {
    const credits = creditsOf(session, durationMs) - account.billed;
    if (credits <= 0) return;
    account.billed += credits;
    await ledger.add({ ...account.charge, credits, now: clock.now() }).catch((error: unknown) => {
      account.billed -= credits;
      log.error({ err: error }, 'the credits of a session could not be billed');
    });
  };
  const billMinutes = async (session: BrowserSession, account: Account) => {
    for (;;) {
      await clock.sleep(MINUTE_MS, session.ended);
      await billUpTo(session, account, clock.now() - session.createdAt);
    }
  };

  return {
    async open(session, caller, { operation, target, judge }) {
      const { id } = session;
      if (judge) judges.set(session, judge);
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
    async usePrompt(session) {
      prompted.add(session);
      const account = open.get(session.id);
      if (account) await billUpTo(session, account, clock.now() - session.createdAt);
    },
    credits: creditsOf,
    async end(session, durationMs) {
      const account = open.get(session.id);
      open.delete(session.id);
      if (account) await billUpTo(session, account, durationMs);
    },
  };
}
