// A run of an agent with everything that is used to carry it out.
import type { AgentRun } from '../../contracts/agent/agent.ts';
import type { RunTools } from '../../jobs/runs/run-handler.ts';
import type { RunView } from '../../store/ports/runs/run-store.ts';
import type { WebTools } from '../gather/web-tools.ts';
import type { AgentLimits } from './agent-limits.ts';

export interface AgentJob {
  run: RunView;
  request: AgentRun;
  tools: RunTools;
  limits: AgentLimits;
  web: WebTools;
}
