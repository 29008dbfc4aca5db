// The tasks of a job on their way to the store thread: copying 100,000 objects at once would block the event loop.
import { createSlices } from '../../../util/slices.ts';
import type { NewTask } from '../../ports/jobs/job-queue.ts';
import { partsOf, type TaskPart } from '../../sql/jobs/job-start/task-parts.ts';

/** Each a list of tasks as JSON. */
export type PackedParts = readonly Uint8Array<ArrayBuffer>[];

export async function packTasks(tasks: readonly NewTask[]): Promise<PackedParts> {
  const slices = createSlices();
  const packed: Uint8Array<ArrayBuffer>[] = [];
  for (const part of partsOf(tasks)) {
    if (slices.isOver()) await slices.next();
    packed.push(new TextEncoder().encode(JSON.stringify(part())));
  }
  return packed;
}

export const unpackTasks = (parts: PackedParts): TaskPart[] =>
  parts.map((part) => () => JSON.parse(Buffer.from(part.buffer).toString()) as NewTask[]);
