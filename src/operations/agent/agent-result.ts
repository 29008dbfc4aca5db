// What a run of an agent returns: its findings, checked against the schema and the pages that were read, or as far as it came.
import type { AgentResult, AgentRun } from '../../contracts/agent/agent.ts';
import type { RunOutcome } from '../../jobs/runs/run-handler.ts';
import type { FinishInput } from '../../understand/agent/agent-tools.ts';
import type { AgentWork, CheckedResult, CitablePage } from '../../understand/agent/check-result.ts';
import { claimsOf, type Draft } from '../../understand/agent/draft.ts';
import { STOPPED, type StopReason } from './agent-limits.ts';

export interface Findings {
  draft: Draft;
  pages: readonly CitablePage[];
  request: Pick<AgentRun, 'schema' | 'mode'>;
}

type Check = Pick<AgentWork, 'check' | 'confirm'>;

/** The model says that it is done. What does not fit the schema is returned as `partial`. */
export async function finishedOutcome(
  work: Check,
  { draft, pages, request }: Findings,
  { message, suggestions, sources }: FinishInput,
  cost: { credits: number; model: string },
): Promise<RunOutcome> {
  const { model } = cost;
  const words = {
    ...(message && request.mode === 'chat' && { message, ...(suggestions.length > 0 && { suggestions }) }),
    model,
  };
  const quoted = message
    ? await work.check({ data: { message }, claims: claimsOf({ message }, sources), pages })
    : undefined;
  // Without a schema, an answer in words is a result.
  const data = draft.data ?? (message && !request.schema && request.mode !== 'chat' ? { answer: message } : undefined);
  if (data === undefined && message && request.mode === 'chat') {
    const citations = quoted?.citations ?? {};
    return { status: 'completed', credits: whole(cost.credits), result: { ...words, ...sourced(citations) } };
  }
  const { schema } = request;
  const checked = await work.confirm({ ...(schema && { schema }), data, claims: draft.claims, pages });
  const result: AgentResult = { ...words, ...sourced(checked.citations), ...unconfirmed(checked) };
  if (checked.problems.length === 0) {
    return { status: 'completed', credits: whole(cost.credits), result: { ...result, data: checked.value } };
  }
  return {
    ...stopped('invalid_result', `${STOPPED.invalid_result} ${checked.problems.slice(0, 5).join(', ')}.`),
    result: { ...result, ...(data !== undefined && { partial: checked.value, partialSchemaValid: false }) },
  };
}

/** The run ends before the model is done. */
export async function stoppedOutcome(
  work: Check,
  findings: Findings,
  { reason, message, credits, model }: { reason: StopReason; message?: string; credits: number; model?: string },
): Promise<RunOutcome> {
  const partial = await partialResult(work, findings);
  return {
    ...stopped(reason, message === undefined ? undefined : `${STOPPED[reason]} ${message}`),
    // What was used before a caller cancelled is billed; other runs that fail cost nothing.
    ...(reason === 'cancelled' && { status: 'cancelled' as const, credits: whole(credits) }),
    result: { ...partial, ...(model && { model }) },
  };
}

const stopped = (stopReason: StopReason, error: string = STOPPED[stopReason]): RunOutcome => ({
  status: 'failed',
  stopReason,
  error,
  credits: 0,
});

async function partialResult(work: Check, { draft, pages, request }: Findings): Promise<AgentResult> {
  const { schema } = request;
  if (draft.data === undefined) return {};
  const checked = await work.confirm({ ...(schema && { schema }), data: draft.data, claims: draft.claims, pages });
  return {
    partial: checked.value,
    ...(schema && { partialSchemaValid: checked.problems.length === 0 }),
    ...sourced(checked.citations),
    ...unconfirmed(checked),
  };
}

/** Clients know whole numbers of credits only. */
const whole = (credits: number): number => Math.ceil(credits);

const sourced = (citations: CheckedResult['citations']): Pick<AgentResult, 'citations' | 'sources'> => ({
  citations,
  sources: Object.fromEntries(Object.entries(citations).map(([path, { url }]) => [path, [url]])),
});

const MAX_NAMED = 20;

function unconfirmed({ unsourced }: CheckedResult): Pick<AgentResult, 'warning'> {
  if (unsourced.length === 0) return {};
  const more = unsourced.length > MAX_NAMED ? ` and ${unsourced.length - MAX_NAMED} more` : '';
  return { warning: `No page that was read confirms: ${unsourced.slice(0, MAX_NAMED).join(', ')}${more}.` };
}
