// Port: how the worker runs a task. The operations provide one handler for each kind of job.
import type { HostAnswer } from '../crawl/politeness/politeness.ts';
import type { Reservation } from '../policy/budgets/budgets.ts';
import type { ClaimedTask, NewTask, TaskOutcome } from '../store/ports/jobs/job-queue.ts';
import type { JobView } from '../store/ports/jobs/job-store.ts';

export interface TaskTools {
  /** Adds pages while the task runs. Throws when the lease of the task was lost. */
  discover(links: NewTask[]): Promise<void>;
  /** Pays for the page: a handler settles it to what the page costs, and reports that. */
  reservation: Reservation;
  signal: AbortSignal;
}

export interface TaskReport {
  outcome: TaskOutcome;
  /** Absent when the host was not contacted. */
  hostAnswer?: HostAnswer;
}

export type TaskHandler = (task: ClaimedTask, job: JobView, tools: TaskTools) => Promise<TaskReport>;
