// The tasks of a job in parts that are stored one by one.
import type { NewTask } from '../../../job-queue.ts';

const TASKS_PER_PART = 2_000;

/** At least one, even without tasks. */
export function partsOf(tasks: NewTask[]): NewTask[][] {
  const parts = [tasks.slice(0, TASKS_PER_PART)];
  for (let at = TASKS_PER_PART; at < tasks.length; at += TASKS_PER_PART)
    parts.push(tasks.slice(at, at + TASKS_PER_PART));
  return parts;
}
