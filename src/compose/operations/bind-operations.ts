// Binds each operation of the route table to its function. Bodies, params and queries come typed from the route's schemas.

import type { KeyedOperation } from '../../contracts/route-types.ts';
import { execute } from '../../operations/browser/execute.ts';
import { type InteractDeps, interact, stopInteraction } from '../../operations/browser/interact.ts';
import { deleteProfile, type ProfileDeps } from '../../operations/browser/profiles.ts';
import {
  type BrowserDeps,
  createBrowser,
  deleteBrowser,
  getBrowser,
  listBrowsers,
} from '../../operations/browser/sessions.ts';
import type { Call, Operations } from '../../operations/call.ts';
import type { Caller } from '../../operations/caller.ts';
import { describeCaller, type MeDeps } from '../../operations/console/me.ts';
import { type FeedbackDeps, rateAny, rateSearch } from '../../operations/feedback.ts';
import { type WatchDeps, watchJob } from '../../operations/job/watch-job.ts';
import { bindOperations as bindModules, type OperationDeps } from '../../operations/operations.ts';
import type { BillingDeps } from '../../operations/research/billing.ts';
import { type ActivityDeps, activity } from '../../operations/team/activity.ts';
import { concurrencyCheck, type QueueStatusDeps, queueStatus } from '../../operations/team/load.ts';
import type { ManageTeamsDeps } from '../../operations/team/manage-teams.ts';
import type { ThreatPolicyDeps } from '../../operations/team/threat-policy.ts';
import {
  creditHistory,
  creditUsage,
  tokenHistory,
  tokenUsage,
  type UsageDeps,
} from '../../operations/team/usage/usage.ts';
import type { TeamUsageDeps } from '../../operations/team/usage/usage-by-day.ts';
import type { WorkScope } from '../../util/work-scope.ts';
import { type AuditLogDeps, bindAudit } from './bind-audit.ts';
import { bindKeys } from './bind-keys.ts';
import { bindClaims, type ClaimDeps } from './bind-onboarding.ts';
import { bindResearch } from './bind-research.ts';
import { bindThreats } from './bind-threats.ts';
import { bindOperator, type OperatorDeps } from './operator/bind-operator.ts';

const BATCH = '/v2/batch/scrape';

type Deps = OperationDeps &
  UsageDeps &
  TeamUsageDeps &
  ThreatPolicyDeps &
  ActivityDeps &
  QueueStatusDeps &
  WatchDeps &
  FeedbackDeps &
  ProfileDeps &
  BrowserDeps &
  InteractDeps &
  ManageTeamsDeps &
  MeDeps &
  AuditLogDeps &
  ClaimDeps &
  BillingDeps &
  OperatorDeps;

interface WatchCall {
  caller: Caller;
  /** The path of the route. */
  path: string;
  id: string;
  baseUrl: string;
}

export function bindOperations(deps: Deps, scope: WorkScope) {
  const openBrowser = ({ caller, body, baseUrl }: Call<'createBrowser' | 'createInteract'>) =>
    createBrowser(deps, caller, body, baseUrl);
  const browsers = ({ caller, query }: Call<'listBrowsers' | 'listInteracts'>) => listBrowsers(deps, caller, query);
  const oneBrowser = ({ caller, params }: Call<'getBrowser' | 'getInteract'>) => getBrowser(deps, caller, params.id);
  const endBrowser = ({ caller, params }: Call<'deleteBrowser' | 'deleteInteract'>) =>
    deleteBrowser(deps, caller, params.id);
  const executeCode = ({ caller, params, body }: Call<'executeInBrowser' | 'executeInInteract'>) =>
    execute(deps, caller, params.id, body);
  const removeProfile = ({ caller, params }: Call<'deleteBrowserProfile' | 'deleteInteractProfile'>) =>
    deleteProfile(deps, caller, params.name);

  const operations: Operations = {
    ...bindModules(deps, scope),
    ...bindResearch(deps),
    ...bindKeys(deps),
    ...bindAudit(deps),
    ...bindClaims(deps),
    ...bindOperator(deps),
    searchFeedback: ({ caller, params, body }) => rateSearch(deps, caller, params.id, body),
    feedback: ({ caller, body }) => rateAny(deps, caller, body),
    createBrowser: openBrowser,
    createInteract: openBrowser,
    listBrowsers: browsers,
    listInteracts: browsers,
    getBrowser: oneBrowser,
    getInteract: oneBrowser,
    deleteBrowser: endBrowser,
    deleteInteract: endBrowser,
    executeInBrowser: executeCode,
    executeInInteract: executeCode,
    interact: ({ caller, params, body, baseUrl }) => interact(deps, caller, params.id, body, baseUrl),
    stopInteraction: ({ caller, params }) => stopInteraction(deps, caller, params.id),
    deleteBrowserProfile: removeProfile,
    deleteInteractProfile: removeProfile,
    me: ({ caller }) => describeCaller(deps, caller),
    creditUsage: ({ caller }) => creditUsage(deps, caller),
    creditHistory: ({ caller, query }) => creditHistory(deps, caller, query),
    tokenUsage: ({ caller }) => tokenUsage(deps, caller),
    tokenHistory: ({ caller, query }) => tokenHistory(deps, caller, query),
    teamUsage: async ({ caller, query }) =>
      (await import('../../operations/team/usage/usage-by-day.ts')).teamUsage(deps, caller, query),
    activity: ({ caller, query }) => activity(deps, caller, query),
    queueStatus: ({ caller }) => queueStatus(deps, caller),
    ...bindThreats(deps),
    concurrencyCheck: ({ caller }) => concurrencyCheck(deps, caller),
  };
  const watch = ({ caller, path, id, baseUrl }: WatchCall) =>
    watchJob(deps, caller, { id, baseUrl, kind: path.startsWith(BATCH) ? 'batch_scrape' : 'crawl' });
  return { operations, watch };
}

/** Runs every operation in the scope of its team, so that the store knows whose calls it gets. */
export function scopeOperations(scope: WorkScope, operations: Operations): Operations {
  const scoped = Object.entries(operations).map(([id, operation]) => [
    id,
    (call: Call<KeyedOperation>) => scope.run(call.caller.team.id, () => operation(call as never)),
  ]);
  // The same names with the same types; `Object.fromEntries` only knows strings.
  return Object.fromEntries(scoped) as Operations;
}
