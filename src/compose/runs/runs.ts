// The parts that carry out runs: agents, extractions and checks of monitors.
import { createRunner } from '../../jobs/runs/runner.ts';
import type { RunHolds } from '../../policy/budgets/run-holds.ts';
import type { Store } from '../../store/store.ts';
import type { Clock } from '../../util/clock.ts';
import type { Log } from '../../util/log.ts';
import type { TeamScope } from '../../util/team-scope.ts';
import { createRunHandlers, type RunHandlerDeps } from './run-handlers.ts';

interface Parts {
  store: Pick<Store, 'runs' | 'runQueue' | 'health'>;
  scope: TeamScope;
  runHolds: RunHolds;
  /** Webhook calls may be due. */
  wakeWebhooks(): void;
  /** Earlier runs are left to another process. */
  since?: number;
  clock: Clock;
  log: Log;
}

export function composeRuns(
  { store, scope, runHolds, wakeWebhooks, since, clock, log }: Parts,
  deps: Omit<RunHandlerDeps, 'runs'>,
) {
  const load = createRunHandlers({ ...deps, runs: store.runs });
  const runner = createRunner({
    queue: store.runQueue,
    runs: store.runs,
    health: store.health,
    runHolds,
    ...(since !== undefined && { since }),
    async loadHandler(kind) {
      const handler = await load[kind]();
      // The store knows whose calls it gets.
      return { ...handler, work: (run, tools) => scope.run(run.teamId, () => handler.work(run, tools)) };
    },
    onChange: ({ hasWebhook }) => {
      if (hasWebhook) wakeWebhooks();
    },
    clock,
    log,
  });
  return { parts: { runs: store.runs, runner }, resume: runner.wake, stop: runner.close };
}
