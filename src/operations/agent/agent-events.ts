// What the webhook of an agent is told: each action, and how the run ended.
import type { AgentResult } from '../../contracts/agent/agent.ts';
import type { RunOutcome, RunTools } from '../../jobs/runs/run-handler.ts';
import type { RunEvent, RunView } from '../../store/ports/runs/run-store.ts';

export function actionEvents(
  tools: Pick<RunTools, 'spent'>,
  { name, input, credits }: { name: string; input: unknown; credits: number },
): RunEvent[] {
  const creditsUsed = Math.ceil(tools.spent().credits + credits);
  return [{ type: 'agent.action', success: true, data: [{ creditsUsed, action: name, input }] }];
}

export function endEvents(_run: RunView, { status, result, error, credits }: RunOutcome): RunEvent[] {
  const { data, message } = (result ?? {}) as AgentResult;
  const creditsUsed = Math.ceil(credits);
  if (status === 'completed') {
    const found = { ...(data !== undefined && { data }), ...(message !== undefined && { message }) };
    return [{ type: 'agent.completed', success: true, data: [{ creditsUsed, ...found }] }];
  }
  const type = status === 'cancelled' ? 'agent.cancelled' : 'agent.failed';
  return [{ type, success: false, data: [{ creditsUsed }], ...(status !== 'cancelled' && error && { error }) }];
}
