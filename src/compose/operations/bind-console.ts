// Binds the calls by which people log in to the console and out.
import type { Authenticate } from '../../api/callers/auth.ts';
import type { SessionCookie } from '../../api/callers/session-cookie.ts';
import { type ConsoleSessionResponse, LOGIN_WAYS } from '../../contracts/console-session.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { OpenAnswer, OpenCall, OpenOperations } from '../../operations/call.ts';
import type { Identity } from '../../operations/caller.ts';
import { type ConsoleSession, type ConsoleSessions, SESSION_MS } from '../../operations/console/console-sessions.ts';
import { describeCaller, type MeDeps } from '../../operations/console/me.ts';
import { type CreateTurns, takeTurn } from '../../operations/onboarding/take-turn.ts';
import type { PolicyStage } from '../../policy/policy-stage.ts';
import type { Team } from '../../store/team-store.ts';
import { type Clock, iso } from '../../util/clock.ts';

export interface ConsoleDeps extends MeDeps {
  sessions: ConsoleSessions;
  cookie: SessionCookie;
  authenticate: Authenticate;
  operatorTeam(): Promise<Team>;
  policy: Pick<PolicyStage, 'admit'>;
  stopping: AbortSignal;
  turns: CreateTurns;
  clock: Clock;
}

type Answer = OpenAnswer & { body: ConsoleSessionResponse };

const NO_STORE = { 'cache-control': 'no-store' };
const QUESTION_PACE = { burst: 200, everyMs: 500 };
const LOGIN_PACE = { burst: 20, everyMs: 3_000 };
const NOT_OUR_PAGE =
  'Only the console of this server can log in. If you opened it through a proxy, set TRAWL_PUBLIC_URL to the address in your browser.';
const LINK_NOT_VALID =
  'This link has been used, has expired or was replaced by a newer one. Run `trawl console` for a new link, or log in with a key.';

export function bindConsole(
  deps: ConsoleDeps,
): Pick<OpenOperations, 'consoleSession' | 'openConsoleSession' | 'closeConsoleSession'> {
  const { sessions, cookie, authenticate, authentication, turns } = deps;
  const questions = turns('questions about sessions', QUESTION_PACE);
  const logins = turns('logins to the console', LOGIN_PACE);
  const state = createState(deps);

  const logIn = async (call: OpenCall<'openConsoleSession'>): Promise<Answer> => {
    const { body, address, header } = call;
    if (!call.isFromOwnPage()) throw new ServiceError('FORBIDDEN_ORIGIN', { message: NOT_OUR_PAGE });
    if (authentication === 'off') return state(undefined, address);
    await takeTurn(logins, address);
    const from = { address, replaces: cookie.read(header('cookie')) };
    if (body.key === undefined) {
      const opened = await sessions.open({ link: body.link! }, from);
      if (!opened) throw new ServiceError('UNAUTHORIZED', { message: LINK_NOT_VALID });
      return withCookie(opened, await state(opened, address), call);
    }
    const holder = await authenticate(`Bearer ${body.key}`, address);
    await admit(deps, holder, address);
    const opened = (await sessions.open({ key: body.key, holder }, from))!;
    return withCookie(opened, await state(opened, address), call);
  };
  const withCookie = (
    { secret }: { secret: string },
    answer: Answer,
    { header }: Pick<OpenCall<'openConsoleSession'>, 'header'>,
  ): Answer => {
    // The page says itself how it was loaded, whatever proxies are in between.
    const isHttps = header('origin')?.startsWith('https:') ?? false;
    return { ...answer, headers: { ...answer.headers, 'set-cookie': cookie.write(secret, isHttps, SESSION_MS) } };
  };

  return {
    consoleSession: async (call) => {
      await takeTurn(questions, call.address);
      return state(await call.session(), call.address);
    },
    openConsoleSession: logIn,
    closeConsoleSession: async (call) => {
      if (!call.isFromOwnPage()) throw new ServiceError('FORBIDDEN_ORIGIN', { message: NOT_OUR_PAGE });
      await takeTurn(questions, call.address);
      const session = await call.session();
      if (session) await sessions.close(session, call.address);
      const answer = await state(undefined, call.address);
      return { ...answer, headers: { ...answer.headers, 'set-cookie': cookie.remove() } };
    },
  };
}

/** A key that may not be used from here cannot log in from here either. */
const admit = ({ policy, stopping }: ConsoleDeps, holder: Identity, address: string) =>
  policy.admit('me', { ...holder, address }, stopping);

function createState(deps: ConsoleDeps) {
  const { authentication, operatorTeam } = deps;
  const ways = authentication === 'off' ? [] : [...LOGIN_WAYS];
  const whoIs = async (identity: Identity) => (await describeCaller(deps, identity)).data;
  return async (session: ConsoleSession | undefined, address: string): Promise<Answer> => {
    const isOff = authentication === 'off';
    if (session) await admit(deps, session.identity, address);
    const identity = isOff ? { team: await operatorTeam() } : session?.identity;
    const data = {
      ...{ isLoggedIn: identity !== undefined, authentication, ways },
      csrfToken: session?.csrfToken ?? null,
      expiresAt: session ? iso(session.endsAt) : null,
      me: identity ? await whoIs(identity) : null,
    };
    return { status: 200, headers: NO_STORE, body: { success: true, data } };
  };
}
