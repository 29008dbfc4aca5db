// Watches a crawl until it ends: its speed, its memory, and the time of its status requests. Most of the time no status is
// requested, because answering costs CPU time too.
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, residentMb } from '../measure.ts';
import type { CrawlClient } from './crawl-client.ts';
import { createThreadCosts, type ThreadCosts } from './thread-costs.ts';

export interface Throughput {
  pages: number;
  seconds: number;
  cpu: number;
}

export interface CrawlMeasurements {
  /** While no status was requested. */
  quiet: Throughput;
  /** While status was requested, with either query. */
  polled: Throughput;
  /** Milliseconds of each status request. */
  statusTimes: Record<StatusQuery, number[]>;
  /** Peak memory between two marks, for the marks that the crawl reached. */
  memory: { from: number; to: number; mb: number }[];
  /** By thread, while no status was requested. */
  costs: ThreadCosts;
}

type StatusQuery = 'page' | 'one';

/** Documents on a status page by default. */
const PAGE_SIZE = 100;
const QUIET_MS = 4_000;
const POLLED_MS = 1_000;
const POLL_EVERY_MS = 100;
const SAMPLE_EVERY_MS = 200;
const LOG_EVERY_MS = 10_000;

export async function watchCrawl(
  client: CrawlClient,
  path: string,
  pid: number,
  marks: number[],
): Promise<CrawlMeasurements> {
  const none = (): Throughput => ({ pages: 0, seconds: 0, cpu: 0 });
  const statusTimes: CrawlMeasurements['statusTimes'] = { page: [], one: [] };
  const costs = createThreadCosts(pid);
  const measured: CrawlMeasurements = { quiet: none(), polled: none(), statusTimes, memory: [], costs };
  const began = performance.now();
  let state = await client.state(path);
  let loggedAt = began;
  let peak = 0;

  const sample = async () => {
    state = await client.state(path);
    peak = Math.max(peak, residentMb(pid));
    const mark = marks[measured.memory.length];
    if (mark !== undefined && state.completed >= mark) {
      measured.memory.push({ from: measured.memory.at(-1)?.to ?? 0, to: mark, mb: peak });
      peak = 0;
    }
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    console.log(`  ${state.completed} pages, ${((loggedAt - began) / 1000).toFixed(0)} s, ${peak.toFixed(0)} MB`);
  };

  /** Measures for a period, or until the crawl ends. */
  const measureFor = async (ms: number, into: Throughput, each = () => {}) => {
    const [start, cpu, pages] = [performance.now(), cpuSeconds(pid), state.completed];
    while (state.status === 'scraping' && performance.now() - start < ms) {
      await sleep(SAMPLE_EVERY_MS);
      await sample();
      // Threads may end between two samples, with all that they have used.
      each();
    }
    into.pages += state.completed - pages;
    into.seconds += (performance.now() - start) / 1000;
    into.cpu += cpuSeconds(pid) - cpu;
  };

  /** Requests status at fixed intervals without waiting for answers: slow answers must not reduce the load. */
  const pollDuring = async (period: Promise<void>, query: StatusQuery) => {
    const pending: Promise<unknown>[] = [];
    const timer = setInterval(() => {
      const skip = Math.floor(Math.random() * Math.max(1, state.completed - PAGE_SIZE));
      const answered = client.time(`${path}?skip=${skip}${query === 'one' ? '&limit=1' : ''}`);
      pending.push(answered.then((ms) => statusTimes[query].push(ms)));
    }, POLL_EVERY_MS);
    await period.finally(() => clearInterval(timer));
    await Promise.all(pending);
  };

  while (state.status === 'scraping') {
    costs.skip();
    await measureFor(QUIET_MS, measured.quiet, costs.look);
    for (const query of ['page', 'one'] as const) await pollDuring(measureFor(POLLED_MS, measured.polled), query);
  }
  if (state.status !== 'completed') throw new Error(`The crawl is ${state.status}.`);
  return measured;
}
