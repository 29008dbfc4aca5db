// Runs an index in a process of its own, so that generating pages and queries is not counted. Arguments: the module of the
// engine and the file of its database. It measures the thread of the engine, the only worker thread in this process.
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { IndexChange } from '../../src/index/page-index.ts';
import type { IndexEngine, OpenEngine } from './index-engine.ts';
import type { BenchQuery } from './index-queries.ts';
import { findWorkerThread, threadCpuMs, workerCpuSeconds } from './thread-cpu.ts';

export interface QueryLoad {
  queries: BenchQuery[];
  /** At least this many milliseconds lie between the starts of two queries. */
  every: number;
  /** No query starts after this many milliseconds. */
  within: number;
}

export interface QueryTime {
  /** CPU time of the engine's thread during the query, including other work. */
  cpuMs: number;
  ms: number;
  hits: number;
}

export interface IndexUsage {
  /** CPU time of all threads except the main one. */
  cpuSeconds: number;
  /** Total time of the calls of `apply`. */
  applySeconds: number;
}

export type IndexRequest =
  | { id: number; apply: IndexChange[] }
  | { id: number; ask: QueryLoad }
  | { id: number; settle: true }
  | { id: number; close: true };

const [module, file] = process.argv.slice(2);
const { open } = (await import(pathToFileURL(module!).href)) as { open: OpenEngine };
const engine: IndexEngine = await open(file!);
let applySeconds = 0;

const QUIET_MS = 400;
const QUIET_SHARE = 0.02;

/** Waits until the thread is idle. */
async function settle(): Promise<IndexUsage> {
  for (let before = threadCpuMs(findWorkerThread()); ; ) {
    await sleep(QUIET_MS);
    const now = threadCpuMs(findWorkerThread());
    if (now - before < QUIET_MS * QUIET_SHARE) return { cpuSeconds: workerCpuSeconds(), applySeconds };
    before = now;
  }
}

async function apply(changes: IndexChange[]): Promise<void> {
  const began = performance.now();
  await engine.apply(changes);
  applySeconds += (performance.now() - began) / 1000;
}

async function ask({ queries, every, within }: QueryLoad): Promise<QueryTime[]> {
  const thread = findWorkerThread();
  const until = performance.now() + within;
  const times: QueryTime[] = [];
  for (const query of queries) {
    const began = performance.now();
    if (began > until) break;
    const before = threadCpuMs(thread);
    const hits = await engine.ask(query);
    const ms = performance.now() - began;
    times.push({ cpuMs: threadCpuMs(thread) - before, ms, hits });
    if (ms < every) await sleep(every - ms);
  }
  return times;
}

async function answer(request: IndexRequest): Promise<unknown> {
  if ('apply' in request) return apply(request.apply);
  if ('ask' in request) return ask(request.ask);
  if ('settle' in request) return settle();
  return engine.close();
}

process.on('message', async (request: IndexRequest) => {
  const value = await answer(request);
  process.send!({ id: request.id, value });
});
process.send!('ready');
