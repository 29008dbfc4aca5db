// Asks the service at a fixed pace whether it is alive, in a thread of its own. Requests do not wait for each other, so a
// stall of a second counts as a hundred slow answers and not as one.
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { percentile } from '../report.ts';

export interface Liveness {
  p50: number;
  p99: number;
  max: number;
}

export interface LivenessProbe {
  /** The latencies since the last call, in milliseconds. */
  take(): Promise<Liveness>;
  stop(): Promise<unknown>;
}

const PACE_MS = 10;

export function probeLiveness(url: string): LivenessProbe {
  const worker = new Worker(new URL(import.meta.url), { workerData: `${url}/v0/health/liveness` });
  return {
    take: () =>
      new Promise((resolve) => {
        worker.once('message', resolve);
        worker.postMessage('take');
      }),
    stop: () => worker.terminate(),
  };
}

if (parentPort && typeof workerData === 'string') await measure(workerData);

async function measure(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let latencies: number[] = [];
  const inFlight = new Set<Promise<void>>();
  const ask = () => {
    const began = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    // A connection that the service closed while it was blocked is a slow answer, too.
    get(url, { agent }, (response) => response.resume().once('end', resolve)).once('error', () => resolve());
    const asked = promise
      .then(() => void latencies.push(performance.now() - began))
      .finally(() => inFlight.delete(asked));
    inFlight.add(asked);
  };
  parentPort!.on('message', async () => {
    await Promise.all(inFlight);
    const taken = latencies;
    latencies = [];
    const of = (share: number) => percentile(taken, share);
    parentPort!.postMessage({ p50: of(0.5), p99: of(0.99), max: of(1) } satisfies Liveness);
  });
  for (let next = performance.now(); ; next += PACE_MS) {
    ask();
    await sleep(Math.max(0, next + PACE_MS - performance.now()));
  }
}
