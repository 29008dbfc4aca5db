// The embedded index on a made-up web: how fast pages go in, how large it gets, how fast questions are answered, alone and
// while pages come; beside it a plain FTS5 table with the same pages.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Corpus, createCorpus } from './corpus.ts';
import { type IndexProcess, startIndex } from './index-process.ts';
import { createQueries, QUERY_CLASSES, type QueryClass } from './index-queries.ts';
import { type Fed, indexingRows, queryRows, sizeRows, writingRow } from './index-report.ts';
import type { Load, Timed } from './index-runner.ts';
import { peakResidentMb, residentMb } from './measure.ts';
import type { BenchOptions, Row } from './report.ts';

const OURS = 'Trawl';
const PEER = 'FTS5';
const BATCH = 200;
const WARM_UP = 25;
const QUERIES = 200;
/** The peer needs seconds where the index needs milliseconds. */
const PEER_QUERIES = 50;
const PEER_MS = 60_000;
// As a busy crawl feeds it: what came within a fifth of a second goes in together.
const WRITER = { pages: 100, everyMs: 200 };
const ASKED_EVERY_MS = 10;
/** Pages for the writer: enough for queries that take five times as long as they are asked apart. */
const MORE_PAGES = 50_000;

export async function index(options: BenchOptions): Promise<Row[]> {
  const { count = 300_000, peerCount = count, peers, only } = options;
  const corpus = createCorpus(Math.max(count, peerCount) + MORE_PAGES);
  const ours = only === 'fts5' ? [] : await inFolder((file) => ourRows(corpus, count, file));
  const theirs = peers && only !== 'trawl' ? await inFolder((file) => peerRows(corpus, peerCount, file)) : [];
  return [...ours, ...theirs];
}

async function inFolder(work: (file: string) => Promise<Row[]>): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-bench-'));
  try {
    return await work(join(folder, 'index.db'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function ourRows(corpus: Corpus, count: number, file: string): Promise<Row[]> {
  const process = await startIndex('index-trawl.ts', file);
  const fed = await feed(process, corpus, count);
  const queries = createQueries(corpus, count, 1);
  await askAll(process, queries, { each: WARM_UP });
  const idle = await askAll(process, queries, { each: QUERIES });
  const calm = await askAll(process, queries, { each: QUERIES, every: ASKED_EVERY_MS });
  const writer = startWriter(process, corpus, count);
  const busy = await askAll(process, queries, { each: QUERIES, every: ASKED_EVERY_MS });
  const written = await writer.stop();
  await process.settle();
  const memory = { residentMb: residentMb(process.pid), peakMb: peakResidentMb(process.pid) };
  await process.stop();
  return [
    ...indexingRows(fed, OURS),
    ...sizeRows(file, fed, written, memory, OURS),
    ...queryRows(idle, OURS, cpu),
    ...queryRows(calm, `${OURS}, time`, time),
    ...queryRows(busy, `${OURS}, time while writing`, time),
    writingRow(calm, busy, OURS),
  ];
}

async function peerRows(corpus: Corpus, count: number, file: string): Promise<Row[]> {
  console.log(`  ${PEER}: ${count} pages`);
  const process = await startIndex('index-fts5.ts', file);
  const fed = await feed(process, corpus, count);
  const queries = createQueries(corpus, count, 1);
  const kinds = QUERY_CLASSES.filter((kind) => kind !== 'images');
  await askAll(process, queries, { each: 2, kinds });
  const idle = await askAll(process, queries, { each: PEER_QUERIES, within: PEER_MS, kinds });
  const memory = { residentMb: residentMb(process.pid), peakMb: peakResidentMb(process.pid) };
  await process.stop();
  return [...indexingRows(fed, PEER), ...sizeRows(file, fed, 0, memory, PEER), ...queryRows(idle, PEER, cpu)];
}

const cpu = ({ cpuMs }: Timed): number => cpuMs;
const time = ({ ms }: Timed): number => ms;

/** The next batch is made while one is taken in. */
async function feed(process: IndexProcess, corpus: Corpus, count: number): Promise<Fed> {
  // The thread starts with the first call.
  await process.apply([]);
  const { cpuSeconds: before } = await process.settle();
  let taken: Promise<void> = Promise.resolve();
  let textBytes = 0;
  for (let from = 0; from < count; from += BATCH) {
    const changes = [];
    for (let number = from; number < Math.min(count, from + BATCH); number += 1) {
      const page = corpus.page(number);
      textBytes += page.textBytes;
      changes.push(page.change);
    }
    await taken;
    taken = process.apply(changes);
    // The last one may fail while the next is made.
    taken.catch(() => {});
    if ((from / BATCH) % 250 === 249) console.log(`  ${from + BATCH} pages`);
  }
  await taken;
  const { cpuSeconds, applySeconds } = await process.settle();
  return { pages: count, textBytes, cpuSeconds: cpuSeconds - before, applySeconds };
}

function startWriter(process: IndexProcess, corpus: Corpus, from: number) {
  let next = from;
  let isOver = false;
  const run = async () => {
    for (let due = performance.now(); !isOver; due += WRITER.everyMs) {
      const numbers = Array.from({ length: WRITER.pages }, () => next++);
      if (next > corpus.size) throw new Error('The queries took longer than there are pages to be written meanwhile.');
      const taken = process.apply(numbers.map((number) => corpus.page(number).change));
      await Promise.all([taken, sleep(Math.max(0, due + WRITER.everyMs - performance.now()))]);
    }
  };
  const running = run();
  running.catch(() => {});
  return {
    /** Gives the number of pages that were written. */
    async stop(): Promise<number> {
      isOver = true;
      await running;
      return next - from;
    },
  };
}

interface Asking extends Partial<Omit<Load, 'queries'>> {
  each: number;
  kinds?: readonly QueryClass[];
}

/** The classes take turns, so that all meet the same conditions. */
async function askAll(
  process: IndexProcess,
  queries: ReturnType<typeof createQueries>,
  { each, kinds = QUERY_CLASSES, every = 0, within = Number.MAX_SAFE_INTEGER }: Asking,
): Promise<Map<QueryClass, Timed[]>> {
  const drawn = Array.from({ length: each }, () => kinds.map((kind) => queries(kind))).flat();
  const timed = await process.ask({ queries: drawn, every, within });
  return new Map(kinds.map((kind, place) => [kind, timed.filter((_, n) => n % kinds.length === place)]));
}
