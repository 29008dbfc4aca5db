// The state of a run of an agent, in the three words that clients know, and the list of runs.
import {
  AGENT_LIST_PAGE,
  type AgentListResponse,
  type AgentResult,
  type AgentRun,
  type AgentStatus,
  type AgentStatusResponse,
} from '../../../contracts/agent/agent.ts';
import type { Runner } from '../../../jobs/runs/runner.ts';
import type { Models } from '../../../models/language-model.ts';
import { isInReach } from '../../../policy/keys/key-reach.ts';
import type { RunStore, RunView } from '../../../store/ports/runs/run-store.ts';
import { type Clock, iso } from '../../../util/clock.ts';
import type { Call } from '../../call.ts';
import type { Caller } from '../../caller.ts';
import { type FindRunDeps, findRun, isUnfinished, startedRun } from '../../run/read-run.ts';

interface AgentModelDeps {
  models: Pick<Models, 'choose'>;
}

const NO_MODEL = 'none';

export const findAgent = (deps: FindRunDeps, caller: Caller, id: string): Promise<RunView> =>
  findRun(deps, caller, id, { kinds: ['agent'], notFound: 'Agent job not found' });

export async function agentStatus(
  deps: FindRunDeps & AgentModelDeps,
  { caller, params }: Call<'agentStatus'>,
): Promise<AgentStatusResponse> {
  const run = await findAgent(deps, caller, params.id);
  const request = run.request as AgentRun;
  return {
    success: true,
    id: run.id,
    status: statusWord(run),
    ...outcomeOf(run),
    model: modelName(deps, run),
    ...(request.effort && { effort: request.effort }),
    mode: request.mode,
    creditsUsed: run.credits,
    expiresAt: iso(run.expiresAt),
    threadId: run.group!,
    threadTurn: run.turn,
  };
}

/** What the run has found, or why it did not. */
function outcomeOf(run: RunView): Partial<AgentStatusResponse> {
  if (isUnfinished(run.status)) return {};
  const { data, partial, partialSchemaValid, model: _, ...more } = (run.result ?? {}) as AgentResult;
  if (run.status === 'completed') return { ...(data !== undefined && { data }), ...more };
  return {
    error: errorText(run),
    ...(partial !== undefined && { partial, partialSchemaValid: partialSchemaValid ?? false }),
    ...stopReasonOf(run),
    ...more,
  };
}

export const stopReasonOf = ({ status, stopReason }: RunView): { stopReason?: string } => {
  const reason = status === 'cancelled' ? 'cancelled' : stopReason;
  return reason === undefined ? {} : { stopReason: reason };
};

export const errorText = ({ status, error }: RunView): string =>
  status === 'cancelled' ? 'The run was cancelled.' : (error ?? 'The run failed.');

/** Clients refuse `cancelled` here. */
function statusWord({ status }: RunView): AgentStatus {
  if (isUnfinished(status)) return 'processing';
  return status === 'completed' ? 'completed' : 'failed';
}

/** Python clients before this version fail on names of models that they do not know. */
const ANY_NAME_SINCE = [4, 37, 1];
const KNOWN_TO_ALL = 'spark-1-pro';

function modelName({ models }: AgentModelDeps, run: RunView): string {
  const { origin = '' } = run.request as AgentRun;
  if (/^python-sdk\b/.test(origin) && !takesAnyName(origin)) return KNOWN_TO_ALL;
  if (!isUnfinished(run.status)) return (run.result as AgentResult | undefined)?.model ?? NO_MODEL;
  const choice = models.choose('agent', { team: run.teamId, isPrivate: run.zeroDataRetention });
  return 'model' in choice ? choice.model.name : NO_MODEL;
}

function takesAnyName(origin: string): boolean {
  const version = /^python-sdk@(\d{1,6})\.(\d{1,6})\.(\d{1,6})\b/.exec(origin)?.slice(1).map(Number);
  if (!version) return false;
  const differs = version.findIndex((part, at) => part !== ANY_NAME_SINCE[at]);
  return differs === -1 || version[differs]! > ANY_NAME_SINCE[differs]!;
}

const MAX_HINT = 200;

/** What a list of runs shows of one: the first URL, or the beginning of the prompt. */
export const targetHint = ({ urls, prompt }: Pick<AgentRun, 'urls' | 'prompt'>): string =>
  urls[0] ?? prompt.slice(0, MAX_HINT).toWellFormed();

interface ListAgentsDeps extends AgentModelDeps {
  runs: Pick<RunStore, 'list'>;
  clock: Pick<Clock, 'now'>;
}

export async function listAgents(
  deps: ListAgentsDeps,
  { caller, query: { before }, baseUrl }: Call<'listAgents'>,
): Promise<AgentListResponse> {
  // One more than is returned shows whether there are more.
  const query = { kind: 'agent' as const, before, limit: AGENT_LIST_PAGE + 1 };
  const found = await deps.runs.list(caller.team.id, query, deps.clock.now());
  const shown = found.slice(0, AGENT_LIST_PAGE);
  return {
    success: true,
    agents: shown.filter((run) => isInReach(caller, startedRun(run))).map((run) => listed(deps, run)),
    ...(found.length > shown.length && { next: `${baseUrl}/v2/agent?before=${shown.at(-1)!.createdAt}` }),
  };
}

function listed(deps: AgentModelDeps, run: RunView): AgentListResponse['agents'][number] {
  const request = run.request as AgentRun;
  const { urls, prompt, schema, effort, origin = 'api', integration } = request;
  return {
    id: run.id,
    createdAt: iso(run.createdAt),
    targetHint: targetHint(request),
    origin,
    ...(integration !== undefined && { integration }),
    settings: { hidden: false, starred: false },
    status: statusWord(run),
    options: {
      ...(urls.length > 0 && { urls }),
      prompt,
      ...(schema && { schema }),
      model: modelName(deps, run),
      ...(effort && { effort }),
    },
  };
}

interface CancelAgentDeps extends FindRunDeps {
  runs: Pick<RunStore, 'view' | 'cancel'>;
  runner: Pick<Runner, 'cancel'>;
}

/** The run ends at its next step; one that has ended stays as it is. */
export async function cancelAgent(
  deps: CancelAgentDeps,
  { caller, params: { id } }: Call<'cancelAgent'>,
): Promise<{ success: true }> {
  await findAgent(deps, caller, id);
  await deps.runs.cancel(id, caller.team.id, deps.clock.now());
  deps.runner.cancel(id);
  return { success: true };
}
