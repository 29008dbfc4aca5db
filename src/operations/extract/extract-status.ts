// The state of an extraction. A run of an agent can be read here, too: older clients know only this call.
import type { AgentResult } from '../../contracts/agent/agent.ts';
import type { ExtractResult, ExtractRun, ExtractStatusResponse } from '../../contracts/agent/extract.ts';
import type { RunStep, RunStore, RunView } from '../../store/ports/runs/run-store.ts';
import { iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import { type FindRunDeps, findRun, isUnfinished } from '../run/read-run.ts';

interface ExtractStatusDeps extends FindRunDeps {
  runs: Pick<RunStore, 'view' | 'steps'>;
}

export async function extractStatus(
  deps: ExtractStatusDeps,
  { caller, params: { id } }: Call<'extractStatus'>,
): Promise<ExtractStatusResponse> {
  const run = await findRun(deps, caller, id, { kinds: ['extract', 'agent'], notFound: 'Extract job not found' });
  const status = statusWord(run);
  const { data, sources, citations, warning } = (run.result ?? {}) as ExtractResult | AgentResult;
  const isCompleted = status === 'completed';
  const { showSources } = run.request as Partial<ExtractRun>;
  return {
    success: status !== 'failed',
    id: run.id,
    status,
    data: isCompleted ? (data ?? null) : [],
    ...(status === 'failed' && { error: run.error ?? 'The extraction failed.' }),
    ...(status === 'cancelled' && { error: 'The run was cancelled.' }),
    ...(warning !== undefined && { warning }),
    expiresAt: iso(run.expiresAt),
    creditsUsed: run.credits,
    tokensUsed: run.tokens,
    ...(isCompleted && showSources && { sources: sources ?? {}, citations: citations ?? {} }),
    ...(await extras(deps, run)),
  };
}

function statusWord({ status }: RunView): ExtractStatusResponse['status'] {
  if (isUnfinished(status)) return 'processing';
  return status === 'completed' || status === 'cancelled' ? status : 'failed';
}

/** What only some switches of the request add. */
async function extras({ runs }: ExtractStatusDeps, run: RunView): Promise<Partial<ExtractStatusResponse>> {
  const {
    __experimental_streamSteps: showSteps,
    __experimental_llmUsage: showUsage,
    __experimental_showCostTracking: showCost,
  } = run.request as Partial<ExtractRun>;
  const steps = showSteps || showCost ? await runs.steps(run.id) : [];
  return {
    ...(showSteps && { steps: steps.map(shownStep) }),
    ...(showUsage && { llmUsage: run.tokens }),
    ...(showCost && { costTracking: { credits: run.credits, tokens: run.tokens, steps: steps.length } }),
  };
}

const shownStep = ({ name, input, startedAt, finishedAt }: RunStep) => {
  const { url } = (input ?? {}) as { url?: unknown };
  return {
    step: name,
    startedAt,
    finishedAt: finishedAt ?? startedAt,
    discoveredLinks: typeof url === 'string' ? [url] : [],
  };
};
