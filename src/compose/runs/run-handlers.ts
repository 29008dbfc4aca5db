// Which code carries out which kind of run. It is loaded with the first one: an idle service does without it.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { RunHandler } from '../../jobs/runs/run-handler.ts';
import type { AgentCaps } from '../../operations/agent/agent-limits.ts';
import type { ModelDeps } from '../../operations/agent/with-model.ts';
import type { Caller } from '../../operations/caller.ts';
import type { CollectionHandlerDeps } from '../../operations/collection/run/run-context.ts';
import type { ExtractDeps } from '../../operations/extract/extract-handler.ts';
import type { WebToolsDeps } from '../../operations/gather/create-web-tools.ts';
import type { CheckHandlerDeps } from '../../operations/monitor/check/check-context.ts';
import { restoredLimits, type StoredLimits } from '../../operations/threats/stored-limits.ts';
import type { RunKind, RunStore, RunView } from '../../store/ports/runs/run-store.ts';
import type { TeamStore } from '../../store/ports/teams/team-store.ts';
import { lazy } from '../../util/lazy.ts';

export type RunHandlerDeps = WebToolsDeps &
  ModelDeps &
  Omit<ExtractDeps & CheckHandlerDeps & CollectionHandlerDeps, 'callerOf'> & {
    teams: Pick<TeamStore, 'find'>;
    runs: RunStore;
    agentCaps: AgentCaps;
  };

export function createRunHandlers(deps: RunHandlerDeps): Record<RunKind, () => Promise<RunHandler>> {
  return {
    agent: lazy(async () => {
      const [{ createAgentHandler }, { createWebTools }] = await Promise.all([
        import('../../operations/agent/agent-handler.ts'),
        import('../../operations/gather/create-web-tools.ts'),
      ]);
      return createAgentHandler({
        ...deps,
        caps: deps.agentCaps,
        openWeb: async (run, tools, { request, limits, eventsOf }) =>
          createWebTools(deps, {
            run: tools,
            caller: await callerOf(run, deps.teams),
            partOf: { operation: 'agent', ...(!run.zeroDataRetention && { job: run.id }) },
            limits,
            namedUrls: request.urls,
            zeroDataRetention: run.zeroDataRetention,
            location: request.location,
            threatProtection: request.threatProtection,
            baseUrl: request.baseUrl,
            eventsOf,
          }),
      });
    }),
    extract: lazy(async () => {
      const { createExtractHandler } = await import('../../operations/extract/extract-handler.ts');
      return createExtractHandler({ ...deps, callerOf: (run) => callerOf(run, deps.teams) });
    }),
    check: lazy(async () => {
      const { createCheckHandler } = await import('../../operations/monitor/check/check-handler.ts');
      return createCheckHandler({ ...deps, callerOf: (run) => callerOf(run, deps.teams) });
    }),
    collection: lazy(async () => {
      const { createCollectionHandler } = await import('../../operations/collection/run/collection-handler.ts');
      return createCollectionHandler({ ...deps, callerOf: (run) => callerOf(run, deps.teams) });
    }),
  };
}

/** Everything that a run does is done for the team that started it. */
async function callerOf(run: RunView, teams: Pick<TeamStore, 'find'>): Promise<Omit<Caller, 'signal'>> {
  const { teamId, key, request } = run;
  const team = await teams.find(teamId);
  if (!team) throw new ServiceError('UNAUTHORIZED');
  return { team, ...(key !== undefined && { key }), ...restoredLimits(request as StoredLimits) };
}
