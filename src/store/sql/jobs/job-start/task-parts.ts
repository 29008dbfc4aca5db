// The tasks of a job in parts that are stored one by one, each in a transaction of its own.
import type { NewTask } from '../../../ports/jobs/job-queue.ts';

export const TASKS_PER_PART = 1_000;

/** Made when it is stored. */
export type TaskPart = () => readonly NewTask[];

/** At least one, even without tasks. */
export function partsOf(tasks: readonly NewTask[]): TaskPart[] {
  const parts: TaskPart[] = [];
  for (let at = 0; at === 0 || at < tasks.length; at += TASKS_PER_PART)
    parts.push(() => tasks.slice(at, at + TASKS_PER_PART));
  return parts;
}
