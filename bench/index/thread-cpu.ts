// The threads of this process as the kernel sees them: their CPU time, far more exactly than in ticks.
import { readdirSync, readFileSync } from 'node:fs';

const TASKS = '/proc/self/task';
/** What Node calls the thread of a worker. */
const WORKER = 'WorkerThread';

const read = (task: string, file: string): string => readFileSync(`${TASKS}/${task}/${file}`, 'utf8').trim();

/** The only worker of this process. */
export function findWorkerThread(): string {
  const found = readdirSync(TASKS).filter((task) => read(task, 'comm') === WORKER);
  if (found.length !== 1) throw new Error(`There is one worker to be measured, not ${found.length}.`);
  return found[0]!;
}

/** CPU time of a thread so far. */
export const threadCpuMs = (task: string): number => Number(read(task, 'schedstat').split(' ')[0]) / 1e6;

/** CPU time of all threads but the main one: the worker, and those that collect its garbage. */
export function workerCpuSeconds(): number {
  const tasks = readdirSync(TASKS).filter((task) => task !== String(process.pid));
  return tasks.reduce((sum, task) => sum + threadCpuMs(task), 0) / 1000;
}
