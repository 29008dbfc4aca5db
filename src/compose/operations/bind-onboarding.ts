// Binds the calls by which somebody gets a key. What is rarely used is loaded with the first request.
import type { Authenticate } from '../../api/callers/auth.ts';
import type { OpenAnswer, OpenCall, OpenOperations } from '../../api/operation-call.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { ONBOARDING_ROUTES } from '../../contracts/onboarding-routes.ts';
import type { CliLogins } from '../../operations/onboarding/cli-login.ts';
import type { WaysIn } from '../../operations/onboarding/ways-in.ts';
import type { Team } from '../../store/team-store.ts';
import { type AddressPace, createAddressPace } from '../../util/address-pace.ts';
import type { Clock } from '../../util/clock.ts';

export interface OnboardingDeps {
  ways: WaysIn;
  cliLogins: CliLogins;
  authenticate: Authenticate;
  defaultTeam: Team;
  clock: Clock;
}

const NO_STORE = { 'cache-control': 'no-store' };
/** The public command line asks every two seconds for up to five minutes. */
const STATUS_PACE = { burst: 200, everyMs: 500 };
const APPROVAL_PACE = { burst: 10, everyMs: 6_000 };
const NOT_OUR_PAGE =
  'Only the page /cli-auth of this server can approve a login. If you opened it through a proxy, set TRAWL_PUBLIC_URL to the address in your browser.';

export function bindOnboarding(deps: OnboardingDeps): Pick<OpenOperations, keyof typeof ONBOARDING_ROUTES> {
  const { ways } = deps;
  const discovery = () => import('../../operations/onboarding/discovery.ts');
  const resource = async (baseUrl: string, path: string): Promise<OpenAnswer> => ({
    status: 200,
    body: (await discovery()).describeResource(ways, baseUrl, `${baseUrl}${path}`),
  });
  return {
    protectedResource: ({ baseUrl }) => resource(baseUrl, ''),
    protectedResourceOfV2: ({ baseUrl }) => resource(baseUrl, '/v2'),
    authorizationServer: async ({ baseUrl }) => ({
      status: 200,
      body: (await discovery()).describeServer(ways, baseUrl),
    }),
    authGuide: async ({ baseUrl }) => {
      const { writeAuthGuide } = await import('../../operations/onboarding/auth-guide.ts');
      return { status: 200, body: writeAuthGuide(ways, baseUrl) };
    },
    ...bindCliLogin(deps),
  };
}

function bindCliLogin({ cliLogins, authenticate, defaultTeam, clock }: OnboardingDeps) {
  const approvals = createAddressPace(clock, APPROVAL_PACE);
  const questions = createAddressPace(clock, STATUS_PACE);
  let page: Promise<import('../../operations/onboarding/cli-login-page.ts').WriteCliLoginPage> | undefined;
  const openPage = () => {
    page ??= import('../../operations/onboarding/cli-login-page.ts').then((module) => module.readCliLoginPage());
    return page;
  };
  return {
    cliLoginPage: async ({ isLocal }: OpenCall<'cliLoginPage'>) => {
      const { html, headers } = (await openPage())(isLocal());
      return { status: 200, headers, body: html };
    },
    approveCliLogin: async ({ body, address, header, ...call }: OpenCall<'approveCliLogin'>) => {
      if (!call.isFromOwnPage()) throw new ServiceError('FORBIDDEN_ORIGIN', { message: NOT_OUR_PAGE });
      take(approvals, address);
      const key = header('authorization');
      const approver = key === undefined && call.isLocal() ? { team: defaultTeam } : await authenticate(key, address);
      const login = { sessionId: body.session_id, codeChallenge: body.code_challenge };
      cliLogins.approve(login, { ...approver, address });
      return { status: 200, headers: NO_STORE, body: { success: true, teamName: approver.team.name } };
    },
    cliLoginStatus: async ({ body, address, baseUrl }: OpenCall<'cliLoginStatus'>) => {
      take(questions, address);
      const fetched = await cliLogins.fetch({ sessionId: body.session_id, codeVerifier: body.code_verifier });
      const answer = fetched
        ? { status: 'complete', apiKey: fetched.key, apiUrl: baseUrl, teamName: fetched.teamName }
        : { status: 'pending' };
      return { status: 200, headers: NO_STORE, body: answer };
    },
  };
}

/** Throws rate_limited. */
function take(pace: AddressPace, address: string): void {
  const waitMs = pace.count(address);
  if (waitMs > 0) throw new ServiceError('rate_limited', { retryAfter: Math.ceil(waitMs / 1000) });
}
