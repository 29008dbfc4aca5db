// Fits several models in a few threads. The results do not depend on the number of threads.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Ensemble } from './ensemble.ts';
import type { BoostParams } from './gbdt.ts';
import type { Matrix } from './matrix.ts';

export interface FitTask {
  readonly data: Matrix;
  readonly labels: Int8Array;
  /** Rows of weight 0 do not affect the fit. */
  readonly weights: Float64Array;
  readonly params: BoostParams;
}

/** Returns the models in the order of their tasks. */
export async function fitAll(tasks: readonly FitTask[], threads: number): Promise<Ensemble[]> {
  const results: Ensemble[] = [];
  const waiting = [...tasks.entries()];
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, task] = next;
      results[index] = await fitInThread(task);
    }
  };
  await Promise.all(Array.from({ length: threads }, runNext));
  return results;
}

async function fitInThread(task: FitTask): Promise<Ensemble> {
  const worker = new Worker(new URL('./fit-worker.ts', import.meta.url), { workerData: task });
  const [ensemble] = await once(worker, 'message');
  return ensemble;
}
