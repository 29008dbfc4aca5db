// The calls of a login of the command line: its page, the approval on that page, and fetching the key.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Team } from '../../store/ports/teams/team-store.ts';
import { lazy } from '../../util/lazy.ts';
import type { OpenAnswer, OpenCall } from '../call.ts';
import type { Authenticate } from '../caller.ts';
import type { Approver, CliLogins } from './cli-login.ts';
import { readCliLoginPage } from './cli-login-page.ts';
import { type OpenTurns, takeTurn } from './take-turn.ts';

interface Deps {
  cliLogins: CliLogins;
  authenticate: Authenticate;
  defaultTeam: Team;
  /** The operator has set a public address, so there may be a proxy: nobody is the operator without a key. */
  isPublished: boolean;
  turns: Pick<OpenTurns, 'approvals of logins' | 'questions about logins'>;
}

const NO_STORE = { 'cache-control': 'no-store' };
const NOT_OUR_PAGE =
  'Only the page /cli-auth of this server can approve a login. If you opened it through a proxy, set TRAWL_PUBLIC_URL to the address in your browser.';

const writePage = lazy(readCliLoginPage);

export async function cliLoginPage(deps: Deps, call: OpenCall<'cliLoginPage'>): Promise<OpenAnswer> {
  const { html, headers } = writePage()(isOperator(deps, call));
  return { status: 200, headers, body: html };
}

export async function approveCliLogin(
  deps: Deps,
  { body, address, header, ...call }: OpenCall<'approveCliLogin'>,
): Promise<OpenAnswer> {
  if (!call.isFromOwnPage()) throw new ServiceError('FORBIDDEN_ORIGIN', { message: NOT_OUR_PAGE });
  await takeTurn(deps.turns['approvals of logins'], address);
  const key = header('authorization');
  const approver: Approver =
    key === undefined && isOperator(deps, call)
      ? { team: deps.defaultTeam, isAtMachine: true }
      : await deps.authenticate(key, address);
  const login = { sessionId: body.session_id, codeChallenge: body.code_challenge };
  await deps.cliLogins.approve(login, { ...approver, address });
  return { status: 200, headers: NO_STORE, body: { success: true, teamName: approver.team.name } };
}

export async function cliLoginStatus(
  deps: Deps,
  { body, address, baseUrl, ...call }: OpenCall<'cliLoginStatus'>,
): Promise<OpenAnswer> {
  await takeTurn(deps.turns['questions about logins'], address);
  const login = { sessionId: body.session_id, codeVerifier: body.code_verifier };
  const fetched = await deps.cliLogins.fetch(login, () => isOperator(deps, call));
  const answer = fetched
    ? { status: 'complete', apiKey: fetched.key, apiUrl: baseUrl, teamName: fetched.teamName }
    : { status: 'pending' };
  return { status: 200, headers: NO_STORE, body: answer };
}

/** The operator at the machine itself. */
const isOperator = ({ isPublished }: Pick<Deps, 'isPublished'>, call: Pick<OpenCall, 'isFromOwnUser'>): boolean =>
  !isPublished && call.isFromOwnUser();
