// A run of an agent without a language model: pages are found, ranked, read and merged by rules, and the result says so.
import type { AgentResult, AgentRun } from '../../contracts/agent.ts';
import { RunCancelled, type RunOutcome } from '../../jobs/runs/run-handler.ts';
import type { Understander } from '../../understand/understander.ts';
import { madeWithoutModel } from '../../understand/without-model.ts';
import { type Gathered, gather } from '../gather/gather.ts';
import type { Refused, WebTools } from '../gather/web-tools.ts';
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
  const isLate = () => tools.elapsedMs() >= limits.ms;
  try {
    const gathered = await gather(
      { web: untilLate(web, isLate), work: understander.tools(asker, tools.signal).work.gather, hasModel: false },
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
    const credits = Math.ceil(tools.spent().credits);
    return outcomeOf(gathered, request, {
      credits,
      reason,
      stopped: gathered.stopped ?? (isLate() ? 'max_time' : undefined),
    });
  } catch (error) {
    if (!(tools.signal.reason instanceof RunCancelled)) throw error;
    const credits = Math.ceil(tools.spent().credits);
    return { status: 'cancelled', stopReason: 'cancelled', error: STOPPED.cancelled, credits };
  }
}

const MAX_PROBLEMS = 20;

function outcomeOf(
  { data, problems, citations, sources, warnings }: Gathered,
  { mode, schema }: AgentRun,
  { credits, reason, stopped }: { credits: number; reason: string; stopped: StopReason | undefined },
): RunOutcome {
  const missing =
    problems.length > 0 ? [`\`data\` does not fulfil the schema: ${problems.slice(0, MAX_PROBLEMS).join(', ')}.`] : [];
  const found: AgentResult = {
    ...{ citations, sources },
    warning: [madeWithoutModel('data', reason), ...missing, ...warnings].join(' '),
  };
  const ended = stopped ?? (data === undefined ? 'nothing_found' : undefined);
  if (ended) {
    const partial =
      data === undefined ? {} : { partial: data, ...(schema && { partialSchemaValid: problems.length === 0 }) };
    return { status: 'failed', stopReason: ended, error: STOPPED[ended], credits: 0, result: { ...found, ...partial } };
  }
  const answer = (data as { answer?: unknown }).answer;
  const words = mode === 'chat' && typeof answer === 'string' ? { message: answer } : {};
  return { status: 'completed', credits, result: { ...found, ...words, data } };
}

/** After the time of the run, no page is begun: what was read is put together. */
function untilLate(web: WebTools, isLate: () => boolean): WebTools {
  const late: Refused = { refused: STOPPED.max_time, code: 'max_time' };
  return {
    isAllowed: web.isAllowed,
    search: async (...call) => (isLate() ? late : web.search(...call)),
    map: async (...call) => (isLate() ? late : web.map(...call)),
    scrape: async (...call) => (isLate() ? late : web.scrape(...call)),
  };
}
