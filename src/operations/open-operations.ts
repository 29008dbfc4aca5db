// Where each operation is that needs no key: the module that exports it under its name in the route table.
import type { OpenOperations } from './call.ts';
import { bindModules, type DepsOf, type ModuleTable } from './module-table.ts';
import * as state from './operator/state.ts';

const agents = () => import('./onboarding/agents.ts');
const authGuide = () => import('./onboarding/auth-guide.ts');
const cliLogin = () => import('./onboarding/cli-login-calls.ts');
const discovery = () => import('./onboarding/discovery.ts');
const feed = () => import('./monitor/feed.ts');
const file = () => import('./file-answer.ts');
const keyless = () => import('./onboarding/keyless.ts');
const login = () => import('./console/login.ts');
const mailLinks = () => import('./monitor/mail/mail-links.ts');
const manual = () => import('./manual.ts');
const ownState = async () => state;
const parsing = () => import('./parse/parse.ts');

const OPEN_MODULES = {
  upload: parsing,
  confirmMail: mailLinks,
  unsubscribeMail: mailLinks,
  confirmMailPage: mailLinks,
  confirmMailByPage: mailLinks,
  unsubscribeMailPage: mailLinks,
  unsubscribeMailByPage: mailLinks,
  monitorFeed: feed,
  protectedResource: discovery,
  protectedResourceOfV2: discovery,
  protectedResourceOfMcp: discovery,
  protectedResourceOfV2Mcp: discovery,
  authorizationServer: discovery,
  authGuide,
  registerAgent: agents,
  claimAgent: agents,
  revokeAgent: agents,
  keylessEligibility: keyless,
  cliLoginPage: cliLogin,
  approveCliLogin: cliLogin,
  cliLoginStatus: cliLogin,
  consoleSession: login,
  openConsoleSession: login,
  closeConsoleSession: login,
  file,
  openapi: manual,
  chapters: manual,
  manual,
  formerChapter: manual,
  liveness: ownState,
  readiness: ownState,
  healthDetails: ownState,
  metrics: ownState,
} satisfies ModuleTable<OpenOperations>;

export const bindOpenOperations = (deps: DepsOf<typeof OPEN_MODULES>): OpenOperations =>
  bindModules(OPEN_MODULES, deps);
