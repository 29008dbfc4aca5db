// Bills browser sessions: the first minute once they are open, the others as they pass, the rest when they end. A killed
// service loses at most the minute under way. Each minute is held before it begins; when nothing is left, the session ends.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { SecurityLog } from '../../policy/audit/security-log.ts';
import type { Budgets, Payer, Reservation } from '../../policy/budgets/budgets.ts';
import { isShortage, shortageEvent } from '../../policy/budgets/insufficient-credits.ts';
import type { Payers } from '../../policy/budgets/payers.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import type { Log } from '../../runtime/log.ts';
import type { BrowserSession, Sessions } from '../../sessions/session.ts';
import type { Charge, Ledger } from '../../store/ports/teams/ledger.ts';
import type { Clock } from '../../util/clock.ts';
import { accountOf, type Caller } from '../caller.ts';
import { sessionCredits } from '../team/credits.ts';
import type { KeyWatch } from '../team/key-watch.ts';

export interface SessionBilling {
  /** A session that is not opened here costs nothing, for example because its page could not be loaded. */
  open(session: BrowserSession, caller: Caller, request: SessionRequest): Promise<void>;
  /** A prompt runs in the session, which makes all of its minutes more expensive. Throws INSUFFICIENT_CREDITS. */
  usePrompt(session: BrowserSession): Promise<void>;
  /** What was charged for a session so far. */
  credits(session: BrowserSession): number;
  /** Never rejects. */
  end(session: BrowserSession, durationMs: number): Promise<void>;
}

interface SessionRequest {
  operation: 'browser' | 'interact';
  /** The page that it continues from. */
  target?: string;
  /** Checks the documents of the session, and is paid with it. */
  threatCheck: ThreatCheck | undefined;
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
  budgets: Pick<Budgets, 'reserve'>;
  payers: Payers;
  security: Pick<SecurityLog, 'record'>;
  /** Ends a session for this reason. */
  endSession(session: BrowserSession, reason: ServiceError): Promise<unknown>;
  clock: Clock;
  log: Log;
}

interface Account {
  charge: Pick<Charge, 'teamId' | 'key' | 'operation' | 'job'>;
  /** Callers without a key are in no table, so their limits are remembered. */
  keylessPayer?: Payer;
  /** The price of what was billed so far, also of what is being written. */
  billed: number;
  /** Pays for the minute under way. The first one is paid for when the session opens. */
  reservation?: Reservation;
}

export function createSessionBilling(deps: Deps): SessionBilling {
  const { ledger, budgets, payers, security, endSession, clock, log } = deps;
  const open = new Map<string, Account>();
  const prompted = new WeakSet<BrowserSession>();
  const threatChecks = new WeakMap<BrowserSession, ThreatCheck>();
  const charged = new WeakMap<BrowserSession, number>();
  const priceOf = (session: BrowserSession, durationMs: number) =>
    sessionCredits(durationMs, { isPrompted: prompted.has(session) }) + (threatChecks.get(session)?.credits() ?? 0);
  const reserve = async ({ charge: { teamId, key }, keylessPayer }: Account, credits: number) =>
    budgets.reserve(keylessPayer ?? (await payers.find({ teamId, ...(key !== undefined && { key }) })), credits);

  const bill = async (session: BrowserSession, charge: Charge, reservation: Reservation, price: number) => {
    try {
      const credits = await reservation.settle(price);
      await ledger.add({ ...charge, credits });
      reservation.recorded();
      charged.set(session, (charged.get(session) ?? 0) + credits);
    } finally {
      reservation.release();
    }
  };

  /** What could not be written is billed with the next minute, or at the end. */
  const billUpTo = async (session: BrowserSession, account: Account, durationMs: number) => {
    const { reservation, charge } = account;
    delete account.reservation;
    const price = priceOf(session, durationMs) - account.billed;
    if (price <= 0) return reservation?.release();
    account.billed += price;
    try {
      const taken = reservation ?? (await reserve(account, 0));
      await bill(session, { ...charge, credits: 0, now: clock.now() }, taken, price);
    } catch (error) {
      account.billed -= price;
      log.error({ err: error }, 'the credits of a session could not be billed');
    }
  };
  const billMinutes = async (session: BrowserSession, account: Account) => {
    const minute = () => sessionCredits(MINUTE_MS, { isPrompted: prompted.has(session) });
    for (;;) {
      await clock.sleep(MINUTE_MS, session.ended);
      await billUpTo(session, account, clock.now() - session.createdAt);
      const reservation = await reserve(account, minute());
      // Ended while it was asked for: the end was billed without it.
      if (session.ended.aborted) return reservation.release();
      account.reservation = reservation;
    }
  };

  return {
    async open(session, caller, { operation, target, threatCheck }) {
      const { id } = session;
      if (threatCheck) threatChecks.set(session, threatCheck);
      const charge = { ...accountOf(caller), operation, job: id };
      const request = { id, isRatable: true, ...(target !== undefined && { target }) };
      const reservation = await budgets.reserve(caller, FIRST_MINUTE);
      await bill(session, { ...charge, credits: 0, request, now: clock.now() }, reservation, FIRST_MINUTE);
      // A session that has ended in the meantime was too short to cost more.
      if (session.ended.aborted) return;
      const account: Account = { charge, billed: FIRST_MINUTE, ...keylessPayer(caller) };
      open.set(id, account);
      billMinutes(session, account).catch(async (error: unknown) => {
        // The sleep rejects when the session ends.
        if (session.ended.aborted) return;
        if (isShortage(error)) security.record(shortageEvent(charge, operation));
        else log.error({ err: error }, 'a session could not be billed');
        const message = isShortage(error) ? OUT_OF_CREDITS : NOT_BILLED;
        await endSession(session, new ServiceError('SESSION_ENDED', { message }));
      });
    },
    async usePrompt(session) {
      const account = open.get(session.id);
      const durationMs = clock.now() - session.createdAt;
      if (!account || prompted.has(session)) return void prompted.add(session);
      // All minutes become more expensive, those before included.
      const scans = threatChecks.get(session)?.credits() ?? 0;
      const more = sessionCredits(durationMs, { isPrompted: true }) + scans - account.billed;
      const reservation = await reserve(account, more);
      account.reservation?.release();
      account.reservation = reservation;
      prompted.add(session);
      await billUpTo(session, account, durationMs);
    },
    credits: (session) => charged.get(session) ?? 0,
    async end(session, durationMs) {
      const account = open.get(session.id);
      open.delete(session.id);
      if (account) await billUpTo(session, account, durationMs);
    },
  };
}

const keylessPayer = ({ team, key, limits, isKeyless }: Caller): Pick<Account, 'keylessPayer'> =>
  isKeyless ? { keylessPayer: { team, ...(key !== undefined && { key }), ...(limits && { limits }) } } : {};

/** Short enough for the close reason of a WebSocket. */
const OUT_OF_CREDITS = 'The session was ended because your credits are used up. Ask the operator for more.';
const NOT_BILLED = 'The session was ended because it could not be billed. Open a new one later.';
