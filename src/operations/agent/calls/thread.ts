// A thread of an agent: its runs, the oldest first.
import type { AgentResult, AgentRun, AgentThreadResponse, ThreadRunStatus } from '../../../contracts/agent/agent.ts';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { checkReach } from '../../../policy/keys/key-reach.ts';
import type { RunStore, RunView } from '../../../store/ports/runs/run-store.ts';
import { type Clock, iso } from '../../../util/clock.ts';
import type { Call } from '../../call.ts';
import { isUnfinished, startedRun } from '../../run/read-run.ts';
import { stopReasonOf } from './agent-status.ts';

interface ThreadDeps {
  runs: Pick<RunStore, 'list'>;
  clock: Pick<Clock, 'now'>;
}

/** Longer threads are cut to their latest turns. */
const MAX_TURNS = 100;

export async function agentThread(
  { runs, clock }: ThreadDeps,
  { caller, params: { id }, query: { includeData = false } }: Call<'agentThread'>,
): Promise<AgentThreadResponse> {
  const found = await runs.list(caller.team.id, { kind: 'agent', group: id, limit: MAX_TURNS }, clock.now());
  const turns = found.toReversed();
  const [first] = turns;
  if (!first) throw new ServiceError('thread_not_found');
  for (const run of turns) checkReach(caller, startedRun(run));
  const last = turns.at(-1)!;
  return {
    success: true,
    thread: {
      id,
      createdAt: iso(first.createdAt),
      updatedAt: iso(last.finishedAt ?? last.startedAt ?? last.createdAt),
      status: turns.some(({ status }) => isUnfinished(status)) ? 'running' : 'idle',
      runs: turns.map((run) => threadRun(run, includeData)),
    },
  };
}

function threadRun(run: RunView, includeData: boolean): AgentThreadResponse['thread']['runs'][number] {
  const { prompt, urls, schema, effort, mode } = run.request as AgentRun;
  const { data, partial, partialSchemaValid, message, suggestions } = (run.result ?? {}) as AgentResult;
  return {
    id: run.id,
    turn: run.turn,
    mode,
    prompt,
    ...(urls.length > 0 && { urls }),
    ...(schema && { schema }),
    ...(effort && { effort }),
    status: runStatus(run),
    createdAt: iso(run.createdAt),
    finishedAt: run.finishedAt === undefined ? null : iso(run.finishedAt),
    creditsUsed: isUnfinished(run.status) ? null : run.credits,
    message: message ?? null,
    ...(suggestions && { suggestions }),
    ...(includeData && data !== undefined && { data }),
    ...(includeData && partial !== undefined && { partial, partialSchemaValid: partialSchemaValid ?? false }),
    ...(run.status !== 'completed' && stopReasonOf(run)),
  };
}

export function runStatus({ status, stopReason }: Pick<RunView, 'status' | 'stopReason'>): ThreadRunStatus {
  if (isUnfinished(status)) return 'processing';
  if (status === 'completed') return 'succeeded';
  if (status === 'cancelled') return 'cancelled';
  if (stopReason === 'max_credits') return 'credit_limit_reached';
  return stopReason === 'refused' ? 'refused' : 'failed';
}
