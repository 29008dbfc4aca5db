// The calls by which people log in to the console and out, and by which its page learns who is logged in.
import { type ConsoleSessionResponse, LOGIN_WAYS } from '../../contracts/console/console-session.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { PolicyStage } from '../../policy/policy-stage.ts';
import type { Team } from '../../store/ports/teams/team-store.ts';
import { iso } from '../../util/clock.ts';
import type { OpenAnswer, OpenCall } from '../call.ts';
import type { Authenticate, Identity } from '../caller.ts';
import { type OpenTurns, takeTurn } from '../onboarding/take-turn.ts';
import { type ConsoleSession, type ConsoleSessions, SESSION_MS } from './console-sessions.ts';
import { describeCaller, type MeDeps } from './me.ts';
import type { SessionCookie } from './session-cookie.ts';

interface Deps extends MeDeps {
  console: { sessions: Pick<ConsoleSessions, 'open' | 'close'>; cookie: SessionCookie };
  authenticate: Authenticate;
  operatorTeam(): Promise<Team>;
  policy: Pick<PolicyStage, 'admit'>;
  stopping: AbortSignal;
  turns: Pick<OpenTurns, 'questions about sessions' | 'logins to the console'>;
}

type Answer = OpenAnswer & { body: ConsoleSessionResponse };

const NO_STORE = { 'cache-control': 'no-store' };
const NOT_OUR_PAGE =
  'Only the console of this server can log in. If you opened it through a proxy, set TRAWL_PUBLIC_URL to the address in your browser.';
const LINK_NOT_VALID =
  'This link has been used, has expired or was replaced by a newer one. Run `trawl console` for a new link, or log in with a key.';

export async function consoleSession(deps: Deps, { session, address }: OpenCall<'consoleSession'>): Promise<Answer> {
  await takeTurn(deps.turns['questions about sessions'], address);
  return answerState(deps, await session(), address);
}

export async function openConsoleSession(deps: Deps, call: OpenCall<'openConsoleSession'>): Promise<Answer> {
  const { body, address, header } = call;
  const { sessions, cookie } = deps.console;
  if (!call.isFromOwnPage()) throw new ServiceError('FORBIDDEN_ORIGIN', { message: NOT_OUR_PAGE });
  if (deps.authentication === 'off') return answerState(deps, undefined, address);
  await takeTurn(deps.turns['logins to the console'], address);
  const from = { address, replaces: cookie.read(header('cookie')) };
  if (body.key === undefined) {
    const opened = await sessions.open({ link: body.link! }, from);
    if (!opened) throw new ServiceError('UNAUTHORIZED', { message: LINK_NOT_VALID });
    return withCookie(cookie, opened, await answerState(deps, opened, address), call);
  }
  const holder = await deps.authenticate(`Bearer ${body.key}`, address);
  await admit(deps, holder, address);
  const opened = (await sessions.open({ key: body.key, holder }, from))!;
  return withCookie(cookie, opened, await answerState(deps, opened, address), call);
}

export async function closeConsoleSession(deps: Deps, call: OpenCall<'closeConsoleSession'>): Promise<Answer> {
  const { sessions, cookie } = deps.console;
  if (!call.isFromOwnPage()) throw new ServiceError('FORBIDDEN_ORIGIN', { message: NOT_OUR_PAGE });
  await takeTurn(deps.turns['questions about sessions'], call.address);
  const session = await call.session();
  if (session) await sessions.close(session, call.address);
  const answer = await answerState(deps, undefined, call.address);
  return { ...answer, headers: { ...answer.headers, 'set-cookie': cookie.remove() } };
}

function withCookie(
  cookie: SessionCookie,
  { secret }: { secret: string },
  answer: Answer,
  { header }: Pick<OpenCall<'openConsoleSession'>, 'header'>,
): Answer {
  // The page says itself how it was loaded, whatever proxies are in between.
  const isHttps = header('origin')?.startsWith('https:') ?? false;
  const setCookie = cookie.write(secret, isHttps, SESSION_MS);
  return { ...answer, headers: { ...answer.headers, 'set-cookie': setCookie } };
}

/** A key that may not be used from here cannot log in from here either. */
const admit = ({ policy, stopping }: Deps, holder: Identity, address: string) =>
  policy.admit('me', { ...holder, address }, stopping);

async function answerState(deps: Deps, session: ConsoleSession | undefined, address: string): Promise<Answer> {
  const { authentication, operatorTeam } = deps;
  const isOff = authentication === 'off';
  if (session) await admit(deps, session.identity, address);
  const identity = isOff ? { team: await operatorTeam() } : session?.identity;
  const data = {
    ...{ isLoggedIn: identity !== undefined, authentication, ways: isOff ? [] : [...LOGIN_WAYS] },
    csrfToken: session?.csrfToken ?? null,
    expiresAt: session ? iso(session.endsAt) : null,
    me: identity ? (await describeCaller(deps, identity)).data : null,
  };
  return { status: 200, headers: NO_STORE, body: { success: true, data } };
}
