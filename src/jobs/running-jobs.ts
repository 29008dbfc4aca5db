// All running jobs, and what wakes them: a time, a free slot at a host, a finished task.
import type { Politeness } from '../crawl/politeness/politeness.ts';
import type { ClaimedTask } from '../store/ports/jobs/job-queue.ts';
import type { JobView } from '../store/ports/jobs/job-store.ts';
import type { Clock } from '../util/clock.ts';
import { createAlarm } from './alarm.ts';
import { type HeldTask, newRunningJob, type Pace, type RunningJob } from './running-job.ts';

export interface RunningJobs {
  readonly byId: Map<string, RunningJob>;
  /** All tasks in flight. */
  tasks(): Map<number, HeldTask>;
  /** Starts to work on a job, or looks at one again that is known. A paused job waits to be resumed. */
  run(view: JobView): void;
  /** Aborts its tasks. */
  drop(id: string, reason: string): void;
  wake(job: RunningJob): void;
  /** Does nothing if the time is undefined. */
  wakeAt(job: RunningJob, time: number | undefined): void;
  /** Wakes the jobs that wait for a slot at the host, when its next slot gets free. */
  wakeHostWhenFree(host: string): void;
  taskStarted(job: RunningJob, task: ClaimedTask, held: HeldTask): void;
  /** The slots of a task are free again: at the host, and in the job once its pause is over. */
  slotLeft(job: RunningJob, task: ClaimedTask): void;
  /** Its outcome is written, and what it has found may be claimed. */
  taskEnded(job: RunningJob, task: ClaimedTask): void;
  /** Drops a job that has nothing in flight and waits for no host. */
  forgetIdle(job: RunningJob): void;
  stopAlarms(): void;
}

interface RunningJobsDeps {
  politeness: Pick<Politeness, 'nextSlotAt'>;
  paceOf(job: JobView): Pace;
  clock: Clock;
  /** Some job may have tasks to claim. */
  onReady(): void;
  /** Like `onReady`, but further slots may follow soon. */
  onSlotLeft(): void;
}

export function createRunningJobs({ politeness, paceOf, clock, ...deps }: RunningJobsDeps): RunningJobs {
  const { onReady, onSlotLeft } = deps;
  const alarm = createAlarm(clock);
  const byId = new Map<string, RunningJob>();

  const wake = (job: RunningJob) => {
    job.isReady = true;
    onReady();
  };
  const wakeAt = (job: RunningJob, time: number | undefined) => alarm.set(`job ${job.view.id}`, time, () => wake(job));
  const hostHasSlots = (host: string) => {
    for (const job of byId.values()) if (job.fullHosts.has(host)) job.isReady = true;
  };
  const wakeHostWhenFree = (host: string) =>
    alarm.set(`host ${host}`, politeness.nextSlotAt(host), () => {
      hostHasSlots(host);
      onReady();
    });

  return {
    byId,
    tasks: () => new Map([...byId.values()].flatMap(({ tasks }) => [...tasks])),
    run(view) {
      const known = byId.get(view.id);
      if (known) {
        known.view.limit = view.limit;
        wake(known);
      } else if (view.pausedAt === undefined) {
        byId.set(view.id, newRunningJob(view, paceOf(view)));
        onReady();
      }
    },
    drop(id, reason) {
      const job = byId.get(id);
      byId.delete(id);
      for (const { ending } of job?.tasks.values() ?? []) ending.abort(new Error(reason));
    },
    wake,
    wakeAt,
    wakeHostWhenFree,
    taskStarted(job, { id }, held) {
      job.tasks.set(id, held);
      job.slots += 1;
    },
    slotLeft(job, { host }) {
      job.slots -= 1;
      if (job.pace.pauseMs > 0) {
        job.notBefore = clock.now() + job.pace.pauseMs;
        wakeAt(job, job.notBefore);
      }
      wakeHostWhenFree(host);
      hostHasSlots(host);
      onSlotLeft();
    },
    taskEnded(job, { id }) {
      job.tasks.delete(id);
      wake(job);
    },
    forgetIdle({ view, tasks, fullHosts }) {
      if (tasks.size === 0 && fullHosts.size === 0) byId.delete(view.id);
    },
    stopAlarms: () => alarm.close(),
  };
}
