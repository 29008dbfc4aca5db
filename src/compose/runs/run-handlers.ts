// Which code carries out which kind of run. It is loaded with the first one: an idle service does without it.
import { ServiceError } from '../../contracts/errors.ts';
import type { RunHandler } from '../../jobs/runs/run-handler.ts';
import type { RunKind } from '../../store/run-store.ts';
import type { TeamStore } from '../../store/team-store.ts';
import { lazy } from '../../util/lazy.ts';

export interface RunHandlerDeps {
  teams: Pick<TeamStore, 'find'>;
}

export function createRunHandlers(_deps: RunHandlerDeps): Record<RunKind, () => Promise<RunHandler>> {
  return {
    agent: lazy(async () => {
      throw new ServiceError('SERVICE_UNAVAILABLE');
    }),
    extract: lazy(async () => {
      throw new ServiceError('SERVICE_UNAVAILABLE');
    }),
    check: lazy(async () => {
      throw new ServiceError('SERVICE_UNAVAILABLE');
    }),
  };
}
