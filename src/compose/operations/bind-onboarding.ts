// Binds the calls by which somebody gets a key. What is rarely used is loaded with the first request.
import type { Authenticate } from '../../api/callers/auth.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { AgentAuthRequest } from '../../contracts/onboarding.ts';
import { CREDENTIAL_TYPE } from '../../contracts/onboarding.ts';
import type { OpenAnswer, OpenCall, OpenOperations } from '../../operations/call.ts';
import type { AnonymousDeps } from '../../operations/onboarding/anonymous-agent.ts';
import type { Approver, CliLogins } from '../../operations/onboarding/cli-login.ts';
import type { Keyless } from '../../operations/onboarding/keyless.ts';
import type { RegisterDeps } from '../../operations/onboarding/register-agent.ts';
import { type CreateTurns, takeTurn } from '../../operations/onboarding/take-turn.ts';
import type { WaysIn } from '../../operations/onboarding/ways-in.ts';
import type { Team } from '../../store/team-store.ts';

export interface OnboardingDeps {
  ways: WaysIn;
  cliLogins: CliLogins;
  agents: Omit<RegisterDeps & AnonymousDeps, 'turns'>;
  /** Absent if nothing can be used without a key. */
  keyless?: Keyless;
  authenticate: Authenticate;
  defaultTeam: Team;
  /** The operator has set a public address, so there may be a proxy: nobody is the operator without a key. */
  isPublished: boolean;
  turns: CreateTurns;
}

const NO_STORE = { 'cache-control': 'no-store' };
/** The public command line asks every two seconds for up to five minutes. */
const STATUS_PACE = { burst: 200, everyMs: 500 };
const APPROVAL_PACE = { burst: 10, everyMs: 6_000 };
/** As auth.md recommends: 60 an hour with an assertion, 5 without. */
const ASSERTION_PACE = { burst: 60, everyMs: 60_000 };
const ANONYMOUS_PACE = { burst: 5, everyMs: 12 * 60_000 };
/** Asking about a claim, and giving keys back. */
const AGENT_PACE = { burst: 60, everyMs: 10_000 };
const NOT_OUR_PAGE =
  'Only the page /cli-auth of this server can approve a login. If you opened it through a proxy, set TRAWL_PUBLIC_URL to the address in your browser.';

type OpenOnboarding = Pick<
  OpenOperations,
  | 'protectedResource'
  | 'protectedResourceOfV2'
  | 'protectedResourceOfMcp'
  | 'protectedResourceOfV2Mcp'
  | 'authorizationServer'
  | 'authGuide'
  | 'registerAgent'
  | 'claimAgent'
  | 'revokeAgent'
  | 'keylessEligibility'
  | 'cliLoginPage'
  | 'approveCliLogin'
  | 'cliLoginStatus'
>;

export function bindOnboarding(deps: OnboardingDeps): OpenOnboarding {
  const { ways } = deps;
  const discovery = () => import('../../operations/onboarding/discovery.ts');
  const resource = async (baseUrl: string, path: string): Promise<OpenAnswer> => ({
    status: 200,
    body: (await discovery()).describeResource(ways, baseUrl, `${baseUrl}${path}`),
  });
  return {
    protectedResource: ({ baseUrl }) => resource(baseUrl, ''),
    protectedResourceOfV2: ({ baseUrl }) => resource(baseUrl, '/v2'),
    protectedResourceOfMcp: ({ baseUrl }) => resource(baseUrl, '/mcp'),
    protectedResourceOfV2Mcp: ({ baseUrl }) => resource(baseUrl, '/v2/mcp'),
    authorizationServer: async ({ baseUrl }) => ({
      status: 200,
      body: (await discovery()).describeServer(ways, baseUrl),
    }),
    authGuide: async ({ baseUrl }) => {
      const { writeAuthGuide } = await import('../../operations/onboarding/auth-guide.ts');
      return { status: 200, body: writeAuthGuide(ways, baseUrl) };
    },
    ...bindAgents(deps),
    ...bindCliLogin(deps),
    keylessEligibility: async ({ header }) => {
      if (!deps.keyless) throw new ServiceError('NOT_FOUND', { message: NOT_KEYLESS });
      return { status: 200, headers: NO_STORE, body: await deps.keyless.eligibility(header) };
    },
  };
}

const NOT_KEYLESS =
  'Nothing can be used without a key on this server. Its operator can change that with TRAWL_KEYLESS.';

function bindAgents({ agents, turns }: OnboardingDeps) {
  const byAssertion = turns('agents with an assertion', ASSERTION_PACE);
  const byNobody = turns('agents without a name', ANONYMOUS_PACE);
  const others = turns('other calls of agents', AGENT_PACE);
  const register = async (body: AgentAuthRequest, call: { address: string; baseUrl: string }) => {
    if ((body.requested_credential_type ?? CREDENTIAL_TYPE) !== CREDENTIAL_TYPE)
      throw new ServiceError('unsupported_credential_type');
    if (body.type === 'anonymous') {
      const { registerAnonymously } = await import('../../operations/onboarding/anonymous-agent.ts');
      return registerAnonymously({ ...agents, turns: byNobody }, call);
    }
    const { registerByAssertion } = await import('../../operations/onboarding/register-agent.ts');
    return registerByAssertion({ ...agents, turns: byAssertion }, body, call);
  };
  return {
    registerAgent: async ({ body, ...call }: OpenCall<'registerAgent'>) => ({
      status: 200,
      headers: NO_STORE,
      body: await register(body, call),
    }),
    claimAgent: async ({ body, address }: OpenCall<'claimAgent'>) => {
      await takeTurn(others, address);
      const { requestClaim } = await import('../../operations/onboarding/anonymous-agent.ts');
      return { status: 200, headers: NO_STORE, body: await requestClaim(agents, body) };
    },
    revokeAgent: async ({ body, address }: OpenCall<'revokeAgent'>) => {
      await takeTurn(others, address);
      const { revokeOwnKey } = await import('../../operations/onboarding/revoke-agent.ts');
      await revokeOwnKey(agents, body.token, address);
      return { status: 200, headers: NO_STORE, body: {} };
    },
  };
}

function bindCliLogin({ cliLogins, authenticate, defaultTeam, isPublished, turns }: OnboardingDeps) {
  /** The operator at the machine itself. */
  const isOperator = (call: Pick<OpenCall<'cliLoginPage'>, 'isFromOwnUser'>) => !isPublished && call.isFromOwnUser();
  const approvals = turns('approvals of logins', APPROVAL_PACE);
  const questions = turns('questions about logins', STATUS_PACE);
  let page: Promise<import('../../operations/onboarding/cli-login-page.ts').WriteCliLoginPage> | undefined;
  const openPage = () => {
    page ??= import('../../operations/onboarding/cli-login-page.ts').then((module) => module.readCliLoginPage());
    return page;
  };
  return {
    cliLoginPage: async (call: OpenCall<'cliLoginPage'>) => {
      const { html, headers } = (await openPage())(isOperator(call));
      return { status: 200, headers, body: html };
    },
    approveCliLogin: async ({ body, address, header, ...call }: OpenCall<'approveCliLogin'>) => {
      if (!call.isFromOwnPage()) throw new ServiceError('FORBIDDEN_ORIGIN', { message: NOT_OUR_PAGE });
      await takeTurn(approvals, address);
      const key = header('authorization');
      const approver: Approver =
        key === undefined && isOperator(call)
          ? { team: defaultTeam, isAtMachine: true }
          : await authenticate(key, address);
      const login = { sessionId: body.session_id, codeChallenge: body.code_challenge };
      await cliLogins.approve(login, { ...approver, address });
      return { status: 200, headers: NO_STORE, body: { success: true, teamName: approver.team.name } };
    },
    cliLoginStatus: async ({ body, address, baseUrl, ...call }: OpenCall<'cliLoginStatus'>) => {
      await takeTurn(questions, address);
      const login = { sessionId: body.session_id, codeVerifier: body.code_verifier };
      const fetched = await cliLogins.fetch(login, () => isOperator(call));
      const answer = fetched
        ? { status: 'complete', apiKey: fetched.key, apiUrl: baseUrl, teamName: fetched.teamName }
        : { status: 'pending' };
      return { status: 200, headers: NO_STORE, body: answer };
    },
  };
}
