// Who uses the console, and what they may do. Pages show what can be used and leave out the rest.
import { batch, signal } from '@preact/signals';
import type { ResponseOf, SentBody } from '../../../src/contracts/route-types.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { csrfToken } from '../api/session-headers.ts';
import { forget, RECENT_REQUESTS } from '../ui/controls/kept.ts';

type Session = ResponseOf<'consoleSession'>['data'];
export type Me = ResponseOf<'me'>['data'];

/** Where somebody stands: it is not known yet, the console can be used, somebody has to log in, or nobody can tell. */
export type Login =
  | { state: 'asking' }
  | { state: 'in' }
  | { state: 'out'; problem?: string }
  | { state: 'failed'; error: unknown };

export const login = signal<Login>({ state: 'asking' });
/** Undefined while it is being loaded, and while nobody is logged in. */
export const me = signal<Me | undefined>(undefined);
/** When the session ends unless it is used. Undefined while authentication is off. */
export const sessionEnd = signal<string | undefined>(undefined);

/** May manage its team: keys, webhooks, the audit log. */
export const mayManage = (): boolean => me.value?.mayManage ?? false;
/** May manage this server and all its teams. */
export const isOperator = (): boolean => me.value?.isOperator ?? false;

/** May make the calls of a group: a key can be restricted to some. */
export const mayUse = (group: Me['groups'][number]): boolean => me.value?.groups.includes(group) ?? false;

export const SESSION_ENDED = 'Your session has ended. Log in again to go on where you were.';

/** Asks the service who is logged in. `problem` is shown if nobody is. */
export async function askSession(problem?: string): Promise<void> {
  try {
    take((await call('consoleSession')).data, problem);
  } catch (error) {
    // Somebody who is logged in keeps the page; its own calls say what is wrong.
    if (login.value.state !== 'in') login.value = { state: 'failed', error };
  }
}

/** Uses up a one-time link. Somebody who is logged in already stays so, whatever is wrong with the link. */
export async function logInByLink(link: string): Promise<void> {
  login.value = { state: 'asking' };
  try {
    take((await call('openConsoleSession', { body: { link } })).data);
  } catch (error) {
    await askSession(loginProblem(error));
  }
}

/** Throws ApiError. */
export async function logIn(body: SentBody<'openConsoleSession'>): Promise<void> {
  take((await call('openConsoleSession', { body })).data);
}

/** Throws ApiError. */
export async function logOut(): Promise<void> {
  await call('closeConsoleSession');
  startOver();
}

/** Why somebody could not log in, in words. */
export function loginProblem(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error);
  const isWrongKey = error.status === 401 && /^Unauthorized/.test(error.message);
  return isWrongKey
    ? 'This key is not valid. It may be mistyped, revoked or expired: check it, or make a new one as described below.'
    : error.message;
}

/** Nothing of a person is left on the page, in its address or in this browser: the next one may be of another team. */
function startOver(): void {
  forget(RECENT_REQUESTS);
  location.replace('/');
}

/** Whose answers and requests the page has shown so far. */
let shownTeam: string | undefined;

function take({ isLoggedIn, csrfToken: token, expiresAt, me: who }: Session, problem?: string): void {
  // Somebody else has logged in, here or in another tab.
  if (who && shownTeam !== undefined && who.team.id !== shownTeam) {
    startOver();
    return;
  }
  shownTeam = who?.team.id ?? shownTeam;
  batch(() => {
    csrfToken.value = token ?? undefined;
    sessionEnd.value = expiresAt ?? undefined;
    // The same person as before: nothing on the page has to change.
    if (JSON.stringify(who) !== JSON.stringify(me.value ?? null)) me.value = who ?? undefined;
    const state = isLoggedIn ? 'in' : 'out';
    if (state === 'out') login.value = { state, ...(problem !== undefined && { problem }) };
    else if (login.value.state !== 'in') login.value = { state };
  });
}
