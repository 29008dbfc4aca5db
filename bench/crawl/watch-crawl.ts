// Watches a crawl to its end: how fast it goes, what memory it takes on the way, and how fast its status is answered.
// It is left alone most of the time and asked for its status the rest, because answering costs time of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, residentMb } from '../measure.ts';
import type { CrawlClient } from './crawl-client.ts';

export interface Throughput {
  pages: number;
  seconds: number;
  cpu: number;
}

export interface CrawlMeasurements {
  /** While nobody asked. */
  quiet: Throughput;
  /** While the status was asked for, all kinds of questions together. */
  polled: Throughput;
  /** Milliseconds of each answer, by the question. */
  statusTimes: Record<StatusQuery, number[]>;
  /** The largest memory between one mark and the next, as far as the crawl came. */
  memory: { from: number; to: number; mb: number }[];
}

type StatusQuery = 'page' | 'one';

/** Documents that a status has unless asked otherwise. */
const PAGE = 100;
const QUIET_MS = 4_000;
const ASKED_MS = 1_000;
const ASK_EVERY_MS = 100;
const LOOK_EVERY_MS = 200;
const TELL_EVERY_MS = 10_000;

export async function watchCrawl(
  client: CrawlClient,
  path: string,
  pid: number,
  marks: number[],
): Promise<CrawlMeasurements> {
  const tally = (): Throughput => ({ pages: 0, seconds: 0, cpu: 0 });
  const answers: CrawlMeasurements['statusTimes'] = { page: [], one: [] };
  const watched: CrawlMeasurements = { quiet: tally(), polled: tally(), statusTimes: answers, memory: [] };
  const began = performance.now();
  let state = await client.state(path);
  let told = began;
  let peak = 0;

  const look = async () => {
    state = await client.state(path);
    peak = Math.max(peak, residentMb(pid));
    const mark = marks[watched.memory.length];
    if (mark !== undefined && state.completed >= mark) {
      watched.memory.push({ from: watched.memory.at(-1)?.to ?? 0, to: mark, mb: peak });
      peak = 0;
    }
    if (performance.now() - told < TELL_EVERY_MS) return;
    told = performance.now();
    console.log(`  ${state.completed} pages, ${((told - began) / 1000).toFixed(0)} s, ${peak.toFixed(0)} MB`);
  };

  /** A stretch of time, over sooner when the crawl is. */
  const pass = async (ms: number, into: Throughput) => {
    const [start, cpu, pages] = [performance.now(), cpuSeconds(pid), state.completed];
    while (state.status === 'scraping' && performance.now() - start < ms) {
      await sleep(LOOK_EVERY_MS);
      await look();
    }
    into.pages += state.completed - pages;
    into.seconds += (performance.now() - start) / 1000;
    into.cpu += cpuSeconds(pid) - cpu;
  };

  /** Asks at a steady pace, whether or not the last answer has come: a slow answer must not make the load lighter. */
  const askDuring = async (passing: Promise<void>, question: StatusQuery) => {
    const underWay: Promise<unknown>[] = [];
    const timer = setInterval(() => {
      const skip = Math.floor(Math.random() * Math.max(1, state.completed - PAGE));
      const asked = client.time(`${path}?skip=${skip}${question === 'one' ? '&limit=1' : ''}`);
      underWay.push(asked.then((ms) => answers[question].push(ms)));
    }, ASK_EVERY_MS);
    await passing.finally(() => clearInterval(timer));
    await Promise.all(underWay);
  };

  while (state.status === 'scraping') {
    await pass(QUIET_MS, watched.quiet);
    for (const question of ['page', 'one'] as const) await askDuring(pass(ASKED_MS, watched.polled), question);
  }
  if (state.status !== 'completed') throw new Error(`The crawl is ${state.status}.`);
  return watched;
}
