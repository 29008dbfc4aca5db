// A thread that fits one model to the matrix it shares with the others.
import { parentPort, workerData } from 'node:worker_threads';
import type { FitTask } from './fit.ts';
import { trainBinary } from './gbdt.ts';

const { data, labels, weights, params } = workerData as FitTask;
parentPort!.postMessage(trainBinary(data, labels, weights, params));
