// Browser sessions: open, list, get and end them, and build the links to them.
import type {
  CreateBrowserResponse,
  DeleteBrowserResponse,
  GetBrowserResponse,
  ListBrowsersResponse,
} from '../../contracts/browser/browser.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { checkContinues, isAllowed } from '../../policy/keys/key-reach.ts';
import type { BrowserSession, NewSession, Sessions } from '../../sessions/session.ts';
import { iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { openThreatCheck, type ThreatCheckDeps, threatWarnings } from '../threats/open-threat-check.ts';
import { type GuardDeps, openGuarded } from './guarded-session.ts';
import { type BilledSessionDeps, billSession } from './session-billing.ts';

interface BrowserDeps extends BilledSessionDeps {
  sessions: Sessions;
}

export interface SessionLinks {
  cdpUrl: string;
  liveViewUrl: string;
  interactiveLiveViewUrl: string;
}

/** The links contain a token and need no key. */
export function sessionLinks({ baseUrl, tokens }: BrowserSession): SessionLinks {
  return {
    cdpUrl: `${baseUrl.replace(/^http/, 'ws')}/cdp/${tokens.cdp}`,
    liveViewUrl: `${baseUrl}/live/${tokens.view}`,
    interactiveLiveViewUrl: `${baseUrl}/live/${tokens.control}`,
  };
}

/** Whose session it is, and what its links may do. */
export const openerOf = ({ team, keyId, limits }: Caller): Pick<NewSession, 'teamId' | 'opener'> => ({
  teamId: team.id,
  ...(keyId !== undefined && { opener: { keyId, limits } }),
});

/** Throws KEY_RESTRICTED if the session may go where the key of the caller may not, or if another key with a budget pays. */
export const checkDrives = ({ limits, keyId }: Caller, { opener }: BrowserSession): void =>
  checkContinues({ limits, key: keyId }, { keyDomains: opener?.limits?.domains, request: {}, key: opener?.keyId });

export async function createBrowser(
  deps: BrowserDeps & GuardDeps & ThreatCheckDeps,
  { caller, body, baseUrl }: Call<'createBrowser' | 'createInteract'>,
): Promise<CreateBrowserResponse> {
  const threatCheck = await openThreatCheck(deps, caller, body);
  const { ttl, activityTtl, streamWebView, profile } = body;
  const times = { ttlMs: ttl * 1000, activityTtlMs: activityTtl * 1000 };
  const wanted = { ...openerOf(caller), ...times, streamWebView, baseUrl, profile };
  const opened = await openGuarded(deps, wanted, threatCheck, caller.signal);
  const billing = { operation: 'browser' as const, threatCheck };
  const session = await billSession(deps, opened.session, caller, billing);
  const [warning] = threatWarnings(threatCheck);
  return {
    success: true,
    id: session.id,
    ...sessionLinks(session),
    expiresAt: iso(session.expiresAt),
    ...(warning !== undefined && { warning }),
  };
}
export const createInteract = createBrowser;

export async function listBrowsers(
  { sessions }: Pick<BrowserDeps, 'sessions'>,
  { caller, query: { status } }: Call<'listBrowsers' | 'listInteracts'>,
): Promise<ListBrowsersResponse> {
  const listed = sessions.list(caller.team.id).filter((each) => status === undefined || each.status === status);
  // The links of a session let their holder drive it.
  return {
    success: true,
    sessions: listed.filter(({ session }) => isAllowed(() => checkDrives(caller, session))).map(describe),
  };
}
export const listInteracts = listBrowsers;

export async function getBrowser(
  { sessions }: Pick<BrowserDeps, 'sessions'>,
  { caller, params }: Call<'getBrowser' | 'getInteract'>,
): Promise<GetBrowserResponse> {
  const found = sessions.list(caller.team.id).find(({ session }) => session.id === params.id);
  if (!found) throw new ServiceError('SESSION_NOT_FOUND');
  checkDrives(caller, found.session);
  return { success: true, ...describe(found) };
}
export const getInteract = getBrowser;

export const deleteBrowser = (
  deps: BrowserDeps,
  { caller, params }: Call<'deleteBrowser' | 'deleteInteract'>,
): Promise<DeleteBrowserResponse> => endSession(deps, caller, params.id);
export const deleteInteract = deleteBrowser;

/** Ending a session that has already ended succeeds. */
export async function endSession(
  { sessions, sessionBilling }: BrowserDeps,
  { team }: Caller,
  id: string,
): Promise<DeleteBrowserResponse> {
  const session = sessions.find(id, team.id);
  const ended = await sessions.end(id, team.id);
  if (session && ended) {
    const { durationMs } = ended;
    const creditsBilled = sessionBilling.credits(session);
    return { success: true, status: 'destroyed', sessionDurationMs: durationMs, creditsBilled };
  }
  if (!sessions.findEnded(id, team.id)) throw new ServiceError('SESSION_NOT_FOUND');
  return { success: true, status: 'destroyed', creditsBilled: 0 };
}

const describe = ({ session, status }: ReturnType<Sessions['list']>[number]) => ({
  id: session.id,
  status,
  ...sessionLinks(session),
  streamWebView: session.streamWebView,
  createdAt: iso(session.createdAt),
  lastActivity: iso(session.lastActivityAt),
  expiresAt: iso(session.expiresAt),
});
