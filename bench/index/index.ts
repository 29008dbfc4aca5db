// The index on generated pages: indexing speed, file size, and query times, both alone and while pages are written. The peer
// is a plain FTS5 table with the same pages. With `--engine opensearch`, the index is on TRAWL_TEST_OPENSEARCH.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexChange } from '../../src/index/page-index.ts';
import { type Corpus, createCorpus } from '../corpus/corpus.ts';
import { peakResidentMb, residentMb } from '../measure.ts';
import type { BenchOptions, Row } from '../report.ts';
import { type IndexProcess, startIndex } from './index-process.ts';
import { type BenchQuery, createQueries, QUERY_CLASSES, type QueryClass } from './index-queries.ts';
import { type IngestResult, indexingRows, openingRow, queryRows, sizeRows, writingRow } from './index-report.ts';
import type { QueryLoad, QueryTime } from './index-runner.ts';
import { isOnOpenSearch } from './open-measured-index.ts';

const OURS = 'Trawl';
const PEER = 'FTS5';
const BATCH = 200;
const WARM_UP = 25;
const QUERIES = 200;
/** The peer needs seconds where the index needs milliseconds. */
const PEER_WARM_UP = 2;
const PEER_QUERIES = 50;
const PEER_MS = 60_000;
// Like a busy crawl, whose pages are written in batches every 200 ms.
const WRITER = { pages: 100, everyMs: 200 };
const QUERY_EVERY_MS = 10;
/** New pages for the writer. After these it writes existing pages again. */
const NEW_PAGES = 20_000;

export async function index(options: BenchOptions): Promise<Row[]> {
  const { count = 300_000, peerCount = count, peers, only, engine } = options;
  const corpus = createCorpus(Math.max(count, peerCount) + NEW_PAGES);
  const ours = only === 'fts5' ? [] : await inFolder((file) => ourRows(corpus, count, file, isOnOpenSearch(engine)));
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

async function ourRows(corpus: Corpus, count: number, file: string, isElsewhere: boolean): Promise<Row[]> {
  const engine = await startIndex(isElsewhere ? 'opensearch-engine.ts' : 'trawl-engine.ts', file);
  const ingested = await ingest(engine, corpus, count);
  const next = createQueries(corpus, count, 1);
  await ask(engine, draw(next, WARM_UP));
  const idle = await ask(engine, draw(next, QUERIES));
  const calm = await ask(engine, draw(next, QUERIES), { every: QUERY_EVERY_MS });
  const drawn = draw(next, QUERIES);
  const writer = startWriter(engine, corpus, count);
  const busy = await ask(engine, drawn, { every: QUERY_EVERY_MS });
  const written = await writer.stop();
  await engine.settle();
  const memory = { residentMb: residentMb(engine.pid), peakMb: peakResidentMb(engine.pid) };
  await engine.stop();
  return [
    ...indexingRows(ingested, OURS),
    ...(isElsewhere ? [] : sizeRows(file, ingested, written, memory, OURS)),
    ...(isElsewhere ? [] : [openingRow(await secondsToOpen(file), ingested, OURS)]),
    ...queryRows(idle, OURS, cpu),
    ...queryRows(calm, `${OURS}, time`, time),
    ...queryRows(busy, `${OURS}, time while writing`, time),
    writingRow(calm, busy, OURS),
  ];
}

async function peerRows(corpus: Corpus, count: number, file: string): Promise<Row[]> {
  console.log(`  ${PEER}: ${count} pages`);
  const engine = await startIndex('fts5-engine.ts', file);
  const ingested = await ingest(engine, corpus, count);
  const next = createQueries(corpus, count, 1);
  const kinds = QUERY_CLASSES.filter((kind) => kind !== 'images');
  await ask(engine, draw(next, PEER_WARM_UP, kinds));
  const idle = await ask(engine, draw(next, PEER_QUERIES, kinds), { within: PEER_MS });
  const memory = { residentMb: residentMb(engine.pid), peakMb: peakResidentMb(engine.pid) };
  await engine.stop();
  return [...indexingRows(ingested, PEER), ...sizeRows(file, ingested, 0, memory, PEER), ...queryRows(idle, PEER, cpu)];
}

const cpu = ({ cpuMs }: QueryTime): number => cpuMs;
const time = ({ ms }: QueryTime): number => ms;

async function secondsToOpen(file: string): Promise<number> {
  const engine = await startIndex('trawl-engine.ts', file);
  // The first call starts the thread.
  await engine.apply([]);
  const { cpuSeconds } = await engine.settle();
  await engine.stop();
  return cpuSeconds;
}

/** Generates each batch while the previous one is indexed. */
async function ingest(engine: IndexProcess, corpus: Corpus, count: number): Promise<IngestResult> {
  // The first call starts the thread.
  await engine.apply([]);
  const { cpuSeconds: before } = await engine.settle();
  let applied: Promise<void> = Promise.resolve();
  let textBytes = 0;
  for (let from = 0; from < count; from += BATCH) {
    const changes = [];
    for (let number = from; number < Math.min(count, from + BATCH); number += 1) {
      const page = corpus.page(number);
      textBytes += page.textBytes;
      changes.push(page.change);
    }
    await applied;
    applied = engine.apply(changes);
    // A failure is reported by the next await; until then it must not count as unhandled.
    applied.catch(() => {});
    if ((from / BATCH) % 250 === 249) console.log(`  ${from + BATCH} pages`);
  }
  await applied;
  const { cpuSeconds, applySeconds } = await engine.settle();
  return { pages: count, textBytes, cpuSeconds: cpuSeconds - before, applySeconds, startSeconds: before };
}

function startWriter(engine: IndexProcess, corpus: Corpus, from: number) {
  let next = from;
  let isOver = false;
  const nextChange = (): IndexChange => {
    const number = next++;
    return { ...corpus.page(number % corpus.size).change, change: number + 1 };
  };
  const run = async () => {
    for (let due = performance.now() + WRITER.everyMs; !isOver; due += WRITER.everyMs) {
      await engine.apply(Array.from({ length: WRITER.pages }, nextChange));
      await sleep(Math.max(0, due - performance.now()));
    }
  };
  const running = run();
  running.catch(() => {});
  return {
    /** Returns the number of new pages. */
    async stop(): Promise<number> {
      isOver = true;
      await running;
      return Math.min(next, corpus.size) - from;
    },
  };
}

interface Drawn {
  kinds: readonly QueryClass[];
  queries: BenchQuery[];
}

/** The classes alternate, so that all run under the same conditions. */
const draw = (
  next: (kind: QueryClass) => BenchQuery,
  each: number,
  kinds: readonly QueryClass[] = QUERY_CLASSES,
): Drawn => ({
  kinds,
  queries: Array.from({ length: each }, () => kinds.map(next)).flat(),
});

async function ask(
  engine: IndexProcess,
  { kinds, queries }: Drawn,
  { every = 0, within = Number.MAX_SAFE_INTEGER }: Partial<Omit<QueryLoad, 'queries'>> = {},
): Promise<Map<QueryClass, QueryTime[]>> {
  const times = await engine.ask({ queries, every, within });
  return new Map(kinds.map((kind, at) => [kind, times.filter((_, n) => n % kinds.length === at)]));
}
