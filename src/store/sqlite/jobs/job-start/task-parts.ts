// The tasks of a job on their way to the store thread, in parts: copying 100,000 objects at once would block the event loop,
// and inserting them at once would block the store.
import { createSlices } from '../../../../util/slices.ts';
import type { NewTask } from '../../../job-queue.ts';

/** At least one, each a list of tasks as JSON. */
export type TaskParts = readonly Uint8Array<ArrayBuffer>[];

const TASKS_PER_PART = 1_000;

export async function packTasks(tasks: readonly NewTask[]): Promise<TaskParts> {
  const slices = createSlices();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at === 0 || at < tasks.length; at += TASKS_PER_PART) {
    if (slices.isOver()) await slices.next();
    parts.push(new TextEncoder().encode(JSON.stringify(tasks.slice(at, at + TASKS_PER_PART))));
  }
  return parts;
}

export const unpackTasks = (part: Uint8Array): NewTask[] =>
  JSON.parse(Buffer.from(part.buffer).toString()) as NewTask[];
