// The parts of monitors: what starts their checks on time, and what their operations need.
import type { Config } from '../../config/settings.ts';
import { createScheduler } from '../../jobs/monitors/scheduler.ts';
import type { Runner } from '../../jobs/runs/runner.ts';
import type { MonitorDeps } from '../../operations/monitor/monitors.ts';
import { dueCheck } from '../../operations/monitor/new-check.ts';
import type { Log } from '../../runtime/log.ts';
import type { WorkScope } from '../../runtime/work-scope.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';
import { type Duty, shareLoop } from '../sharing/duty.ts';

interface Parts {
  store: Pick<Store, 'monitors' | 'health' | 'wakeUps'>;
  runner: Pick<Runner, 'wake' | 'cancel'>;
  scope: WorkScope;
  duty: Duty;
  clock: Clock;
  log: Log;
}

export function composeMonitors({ maxMonitors }: Pick<Config, 'maxMonitors'>, parts: Parts) {
  const { store, runner, scope, duty, clock, log } = parts;
  const scheduler = createScheduler({
    monitors: store.monitors,
    health: store.health,
    dueCheck,
    onStarted: runner.wake,
    isShared: store.wakeUps.isShared,
    scope,
    clock,
    log,
  });
  const wake = shareLoop(store.wakeUps, { topic: 'monitors', duty, wake: scheduler.wake });
  const deps = {
    monitors: store.monitors,
    maxMonitors,
    onSchedule: wake,
    onRun: runner.wake,
    cancelCheck: runner.cancel,
  } satisfies Partial<MonitorDeps> & Record<string, unknown>;
  return { parts: deps, resume: duty === 'all' ? wake : () => {}, stop: scheduler.close };
}
