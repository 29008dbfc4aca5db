// The parts of monitors and collections: what starts their checks and runs on time, and what their operations need.
import type { Config } from '../../config/settings.ts';
import { createScheduler } from '../../jobs/monitors/scheduler.ts';
import type { Runner } from '../../jobs/runs/runner.ts';
import { dueRun } from '../../operations/collection/new-run.ts';
import type { MonitorDeps } from '../../operations/monitor/monitors.ts';
import { dueCheck } from '../../operations/monitor/new-check.ts';
import type { Log } from '../../runtime/log.ts';
import type { WorkScope } from '../../runtime/work-scope.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';
import { type Duty, shareLoop } from '../sharing/duty.ts';

interface Parts {
  store: Pick<Store, 'monitors' | 'collections' | 'health' | 'wakeUps'>;
  runner: Pick<Runner, 'wake' | 'cancel'>;
  scope: WorkScope;
  duty: Duty;
  clock: Clock;
  log: Log;
}

export function composeMonitors({ maxMonitors }: Pick<Config, 'maxMonitors'>, parts: Parts) {
  const { store, runner, scope, duty, clock, log } = parts;
  const shared = {
    ...{ health: store.health, onStarted: runner.wake, isShared: store.wakeUps.isShared },
    ...{ scope, clock, log },
  };
  const checks = createScheduler({ ...shared, schedules: store.monitors, dueRun: dueCheck, name: 'monitor' });
  const runs = createScheduler({ ...shared, schedules: store.collections, dueRun, name: 'collection' });
  const wake = shareLoop(store.wakeUps, { topic: 'monitors', duty, wake: checks.wake });
  const wakeCollections = shareLoop(store.wakeUps, { topic: 'monitors', duty, wake: runs.wake });
  const deps = {
    monitors: store.monitors,
    maxMonitors,
    onSchedule: wake,
    onCollectionSchedule: wakeCollections,
    cancelRun: runner.cancel,
    onRun: runner.wake,
    cancelCheck: runner.cancel,
  } satisfies Partial<MonitorDeps> & Record<string, unknown>;
  const resume = () => {
    wake();
    wakeCollections();
  };
  const stop = async () => void (await Promise.all([checks.close(), runs.close()]));
  return { parts: deps, resume: duty === 'all' ? resume : () => {}, stop };
}
