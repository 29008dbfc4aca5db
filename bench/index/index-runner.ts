// An index in a process of its own, so that making pages and drawing questions never count for it. Its arguments are the
// module of the engine and the file of its database; it measures the engine's thread, which is its only other one.

import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { IndexChange } from '../../src/index/page-index.ts';
import type { IndexEngine, OpenEngine } from './index-engine.ts';
import type { BenchQuery } from './index-queries.ts';
import { findWorkerThread, threadCpuMs, workerCpuSeconds } from './thread-cpu.ts';

export interface QueryLoad {
  queries: BenchQuery[];
  /** Milliseconds from the start of one query to that of the next, at least. */
  every: number;
  /** No query begins later than after so many milliseconds. */
  within: number;
}

export interface QueryTime {
  /** CPU time of the engine's thread, whatever it did meanwhile. */
  cpuMs: number;
  ms: number;
  hits: number;
}

export interface IndexUsage {
  /** CPU time of all threads but the one that feeds. */
  cpuSeconds: number;
  /** Time that `apply` took. */
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

/** Waits until the thread has nothing left to do. */
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
  const timed: QueryTime[] = [];
  for (const query of queries) {
    const began = performance.now();
    if (began > until) break;
    const before = threadCpuMs(thread);
    const hits = await engine.ask(query);
    const ms = performance.now() - began;
    timed.push({ cpuMs: threadCpuMs(thread) - before, ms, hits });
    if (ms < every) await sleep(every - ms);
  }
  return timed;
}

async function answer(question: IndexRequest): Promise<unknown> {
  if ('apply' in question) return apply(question.apply);
  if ('ask' in question) return ask(question.ask);
  if ('settle' in question) return settle();
  return engine.close();
}

process.on('message', async (question: IndexRequest) => {
  const value = await answer(question);
  process.send!({ id: question.id, value });
});
process.send!('ready');
