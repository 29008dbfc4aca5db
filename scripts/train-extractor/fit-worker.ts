// A worker thread that fits one model to the shared matrix.
import { parentPort, workerData } from 'node:worker_threads';
import type { FitTask } from './fit.ts';
import { trainBinary } from './gbdt.ts';

const { data, labels, weights, params } = workerData as FitTask;
parentPort!.postMessage(trainBinary(data, labels, weights, params));
