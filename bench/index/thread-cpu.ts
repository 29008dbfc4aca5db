// CPU time of the threads of this process from the kernel's scheduler, far more precise than clock ticks.
import { readdirSync, readFileSync } from 'node:fs';

const TASKS = '/proc/self/task';
/** Node's name for the thread of a worker. */
const WORKER = 'WorkerThread';

const read = (task: string, file: string): string => readFileSync(`${TASKS}/${task}/${file}`, 'utf8').trim();

/** The only worker thread of this process. */
export function findWorkerThread(): string {
  const found = readdirSync(TASKS).filter((task) => read(task, 'comm') === WORKER);
  if (found.length !== 1) throw new Error(`Expected one worker thread, found ${found.length}.`);
  return found[0]!;
}

export const threadCpuMs = (task: string): number => Number(read(task, 'schedstat').split(' ')[0]) / 1e6;

/** CPU time of all threads except the main one: the worker and its garbage collection. */
export function workerCpuSeconds(): number {
  const tasks = readdirSync(TASKS).filter((task) => task !== String(process.pid));
  return tasks.reduce((sum, task) => sum + threadCpuMs(task), 0) / 1000;
}
