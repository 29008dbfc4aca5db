// A run of an agent without a language model: pages are found, ranked, read and merged by rules, and the result says so.
import type { AgentResult, AgentRun } from '../../contracts/agent/agent.ts';
import { RunCancelled, type RunOutcome } from '../../jobs/runs/run-handler.ts';
import type { Understander } from '../../understand/understander.ts';
import { madeWithoutModel } from '../../understand/without-model.ts';
import { type Gathered, gather } from '../gather/gather.ts';
import type { AgentJob } from './agent-job.ts';
import { STOPPED, type StopReason } from './agent-limits.ts';

/** How many links away from a page that fits the prompt. */
const MAX_HOPS = 2;

export async function runWithoutModel(
  { understander }: { understander: Pick<Understander, 'tools'> },
  { run, request, tools, limits, web }: AgentJob,
  reason: string,
): Promise<RunOutcome> {
  const { prompt, urls, schema, strictConstrainToURLs: isStrict } = request;
  const asker = { asker: { team: run.teamId }, isPrivate: run.zeroDataRetention };
  const workUntil = (signal: AbortSignal) => understander.tools(asker, signal).work.gather;
  const gathered = await gather(
    {
      web,
      work: workUntil(tools.signal),
      hasModel: false,
      isTimeUp: () => tools.elapsedMs() >= limits.ms,
      // The signal of the run has ended everything else.
      workAfter: () =>
        tools.signal.reason instanceof RunCancelled ? workUntil(AbortSignal.timeout(LAST_MERGE_MS)) : undefined,
    },
    {
      prompt,
      ...(schema && { schema }),
      urls,
      maxPages: limits.steps,
      maxHops: MAX_HOPS,
      search: isStrict ? 'never' : 'without-urls',
      leavesSites: true,
    },
  );
  return outcomeOf(gathered, request, { credits: Math.ceil(tools.spent().credits), reason });
}

const LAST_MERGE_MS = 20_000;

const MAX_PROBLEMS = 20;

function outcomeOf(
  { data, problems, citations, sources, warnings, stopped }: Gathered,
  { mode, schema }: AgentRun,
  { credits, reason }: { credits: number; reason: string },
): RunOutcome {
  const missing =
    problems.length > 0 ? [`\`data\` does not fulfil the schema: ${problems.slice(0, MAX_PROBLEMS).join(', ')}.`] : [];
  const found: AgentResult = {
    ...{ citations, sources },
    warning: [madeWithoutModel('data', reason), ...missing, ...warnings].join(' '),
  };
  const ended: StopReason | undefined = stopped ?? (data === undefined ? 'nothing_found' : undefined);
  if (ended) {
    const partial =
      data === undefined ? {} : { partial: data, ...(schema && { partialSchemaValid: problems.length === 0 }) };
    const end = { stopReason: ended, error: STOPPED[ended], result: { ...found, ...partial } };
    // What was used before a caller cancelled is billed; other runs that fail cost nothing.
    return ended === 'cancelled' ? { ...end, status: 'cancelled', credits } : { ...end, status: 'failed', credits: 0 };
  }
  const answer = (data as { answer?: unknown }).answer;
  const words = mode === 'chat' && typeof answer === 'string' ? { message: answer } : {};
  return { status: 'completed', credits, result: { ...found, ...words, data } };
}
