// Binds agents and extractions. They are loaded with the first request, to keep an idle service small.

import type { AGENT_ROUTES } from '../../contracts/agent-routes.ts';
import type { EXTRACT_ROUTES } from '../../contracts/extract-routes.ts';
import type { AgentModelDeps, CancelAgentDeps } from '../../operations/agent/calls/agent-status.ts';
import type { StartAgentDeps } from '../../operations/agent/calls/start-agent.ts';
import type { TraceDeps } from '../../operations/agent/calls/trace/trace.ts';
import type { Operations } from '../../operations/call.ts';
import type { StartExtractDeps } from '../../operations/extract/start-extract.ts';

export type AgentDeps = StartAgentDeps & StartExtractDeps & CancelAgentDeps & TraceDeps & AgentModelDeps;

export function bindAgent(deps: AgentDeps): Pick<Operations, keyof typeof AGENT_ROUTES | keyof typeof EXTRACT_ROUTES> {
  const status = () => import('../../operations/agent/calls/agent-status.ts');
  const trace = () => import('../../operations/agent/calls/trace/trace.ts');
  return {
    startAgent: async ({ caller, body, ...call }) =>
      (await import('../../operations/agent/calls/start-agent.ts')).startAgent(deps, caller, body, call),
    listAgents: async ({ caller, query, baseUrl }) => (await status()).listAgents(deps, caller, query, baseUrl),
    agentThread: async ({ caller, params, query }) =>
      (await import('../../operations/agent/calls/thread.ts')).agentThread(deps, caller, params.id, query),
    agentStatus: async ({ caller, params }) => (await status()).agentStatus(deps, caller, params.id),
    cancelAgent: async ({ caller, params }) => (await status()).cancelAgent(deps, caller, params.id),
    agentTrace: async ({ caller, params, query }) => (await trace()).agentTrace(deps, caller, params.id, query),
    agentSnapshot: async ({ caller, params }) =>
      (await trace()).agentSnapshot(deps, caller, params.id, params.snapshotId),
    extract: async ({ caller, body, ...call }) =>
      (await import('../../operations/extract/start-extract.ts')).startExtract(deps, caller, body, call),
    extractStatus: async ({ caller, params }) =>
      (await import('../../operations/extract/extract-status.ts')).extractStatus(deps, caller, params.id),
  };
}
