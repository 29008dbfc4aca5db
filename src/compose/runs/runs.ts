// The parts that carry out runs: agents, extractions and checks of monitors.
import { createRunner, type Runner } from '../../jobs/runs/runner.ts';
import type { RunReservations } from '../../policy/budgets/run-reservations.ts';
import type { Log } from '../../runtime/log.ts';
import type { Tracer } from '../../runtime/tracer.ts';
import type { WorkScope } from '../../runtime/work-scope.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';
import type { Duty } from '../sharing/duty.ts';
import { createRunHandlers, type RunHandlerDeps } from './run-handlers.ts';

interface Parts {
  store: Pick<Store, 'runs' | 'runQueue' | 'health' | 'wakeUps'>;
  scope: WorkScope;
  tracer: Tracer;
  runReservations: RunReservations;
  /** Webhook calls may be due. */
  wakeWebhooks(): void;
  duty: Duty;
  /** Earlier runs are left to another process. */
  since?: number;
  clock: Clock;
  log: Log;
}

export function composeRuns(
  { store, scope, tracer, runReservations, wakeWebhooks, duty, since, clock, log }: Parts,
  deps: Omit<RunHandlerDeps, 'runs'>,
) {
  const load = createRunHandlers({ ...deps, runs: store.runs });
  const runner = createRunner({
    queue: store.runQueue,
    runs: store.runs,
    health: store.health,
    runReservations,
    isShared: store.wakeUps.isShared,
    ...(since !== undefined && { since }),
    async loadHandler(kind) {
      const handler = await load[kind]();
      // The store knows whose calls it gets.
      const traced: typeof handler.work = (run, tools) =>
        tracer.span(kind, { attributes: { 'trawl.run': run.id } }, () => handler.work(run, tools));
      return {
        ...handler,
        work: (run, tools) => scope.run(run.teamId, () => scope.label({ run: run.id }, () => traced(run, tools))),
      };
    },
    onChange: ({ hasWebhook }) => {
      if (hasWebhook) wakeWebhooks();
    },
    clock,
    log,
  });
  const { wakeUps } = store;
  if (duty === 'all') wakeUps.on('runs', runner.wake, 'others');
  const runners: Pick<Runner, 'wake' | 'cancel'> = {
    wake: () => (duty === 'none' ? wakeUps.notify('runs') : runner.wake()),
    /** The process that carries it out hears of it, too. */
    cancel(id) {
      if (duty !== 'none') runner.cancel(id);
      wakeUps.notify('runs', id);
    },
  };
  const resume = duty === 'all' ? () => runner.wake() : () => {};
  return { parts: { runs: store.runs, runner: runners }, resume, stop: runner.close };
}
