// The team that the current work is done for, wherever it was started: a request, a task of a job. Ports that know
// nothing of callers, such as those of the store, share their thread by it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { OWN_WORK } from './gate/gate.ts';

export interface TeamScope {
  /** Everything that `work` starts belongs to the team. */
  run<T>(team: string, work: () => T): T;
  /** Work outside of any scope is the service's own. */
  current(): string;
}

export function createTeamScope(): TeamScope {
  const storage = new AsyncLocalStorage<string>();
  return {
    run: (team, work) => storage.run(team, work),
    current: () => storage.getStore() ?? OWN_WORK.team,
  };
}
