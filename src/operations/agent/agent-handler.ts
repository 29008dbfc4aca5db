// Carries out a run of an agent: with the operator's language model, or without one by gathering and filling.
import type { AgentRun } from '../../contracts/agent/agent.ts';
import type { RunHandler, RunTools } from '../../jobs/runs/run-handler.ts';
import type { RunEvent, RunStore, RunView } from '../../store/ports/runs/run-store.ts';
import type { WebLimits, WebTools } from '../gather/web-tools.ts';
import { actionEvents, endEvents } from './agent-events.ts';
import type { AgentJob } from './agent-job.ts';
import { type AgentCaps, agentLimits } from './agent-limits.ts';
import { prepare } from './prepare.ts';
import type { ChosenModel } from './take-turn.ts';
import { chooseModel, type ModelDeps, runWithModel } from './with-model.ts';
import { runWithoutModel } from './without-model.ts';

export interface AgentDeps extends ModelDeps {
  runs: Pick<RunStore, 'list'>;
  caps: AgentCaps;
  /** The web as the caller of the run may use it. */
  openWeb(run: RunView, tools: RunTools, use: WebUse): Promise<WebTools>;
}

export interface WebUse {
  request: AgentRun;
  limits: WebLimits;
  eventsOf(call: { name: string; input: unknown; credits: number }): RunEvent[];
}

export const createAgentHandler = (deps: AgentDeps): RunHandler => ({
  async work(run, tools) {
    const request = run.request as AgentRun;
    const affordable = Math.floor(tools.spent().credits + (await tools.creditsLeft()));
    const maxCredits = Math.min(request.maxCredits, affordable);
    const limits = agentLimits(deps.caps, { ...request, maxCredits });
    const web = await deps.openWeb(run, tools, {
      request,
      limits: {
        ...(request.strictConstrainToURLs && { onlyWithin: request.urls }),
        maxPagesPerHost: limits.pagesPerHost,
        maxCredits: limits.credits,
      },
      eventsOf: (call) => actionEvents(tools, call),
    });
    const job: AgentJob = { run, request, tools, limits, web };
    // A model that had failed may be tried by one request: the one that chose it.
    const unused: ChosenModel[] = [];
    const choose = (signal = tools.signal) => unused.pop() ?? chooseModel(deps, run, signal);
    const chosen = () => {
      const model = choose();
      unused.push(model);
      return model;
    };
    const { room, without = '', hasBrowser = false, earlier } = await prepare(run, { ...deps, tools, chosen });
    if (!room) return runWithoutModel(deps, job, without);
    const outcome = await runWithModel(deps, job, { room, hasBrowser, earlier, model: choose });
    return 'without' in outcome ? runWithoutModel(deps, job, outcome.without) : outcome;
  },
  endEvents,
});
