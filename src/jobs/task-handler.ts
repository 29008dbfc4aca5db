// What the worker asks of the operations: how a task of each kind of job is done. They are given to it as a map.
import type { JobView } from '../store/jobs.ts';
import type { ClaimedTask, NewTask, TaskOutcome } from '../store/queue.ts';

export interface TaskTools {
  /** Adds pages while the task goes on. Throws when the task is not ours any more. */
  discover(links: NewTask[]): Promise<void>;
  signal: AbortSignal;
}

/** How the host took it; absent when it was not asked. */
export interface Visit {
  ms: number;
  status?: number;
  /** What it asked for, in milliseconds. */
  retryAfter?: number;
}

export interface TaskReport {
  outcome: TaskOutcome;
  visit?: Visit;
}

export type TaskHandler = (task: ClaimedTask, job: JobView, tools: TaskTools) => Promise<TaskReport>;
