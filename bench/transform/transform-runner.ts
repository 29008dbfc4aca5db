// Runs the transform of one checkout on batches of pages, in a process with the heap limits of a transform thread.
// Argument: the folder of the checkout. The pages are read from the file that the first request names.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GCProfiler } from 'node:v8';
import type { TransformOutcome, TransformRequest } from '../../src/page/page.ts';
import type { createExtractor } from '../../src/transform/main-content/extractor.ts';
import type { loadModel } from '../../src/transform/main-content/model/model.ts';
import type { createPipeline } from '../../src/transform/pipeline.ts';
import type { createJudge } from '../../src/transform/verdict/judge.ts';
import type { makeChunks as MakeChunks } from '../../src/understand/chunks/make-chunks.ts';

export interface SourcePage {
  url: string;
  html: string;
}

export interface BatchRequest {
  /** JSON file with all pages. */
  file: string;
  /** The batch starts with this page and continues with the first one after the last. */
  first: number;
  count: number;
  /** Measures what the format `chunks` costs besides, if the checkout has it. */
  chunks?: true;
}

export interface BatchAnswer {
  /** All threads of the process, V8's helpers included. */
  cpuMs: number;
  /** The thread that runs the transform. */
  threadMs: number;
  allocatedBytes: number;
  /** Collections of the young generation, and of the whole heap. */
  minorGcs: number;
  majorGcs: number;
}

const root = process.argv[2]!;
const load = async (path: string) => import(pathToFileURL(join(root, 'src/transform', path)).href);
const create = {
  ...((await load('pipeline.ts')) as { createPipeline: typeof createPipeline }),
  ...((await load('verdict/judge.ts')) as { createJudge: typeof createJudge }),
  ...((await load('main-content/extractor.ts')) as { createExtractor: typeof createExtractor }),
  ...((await load('main-content/model/model.ts')) as { loadModel: typeof loadModel }),
};
const pipeline = create.createPipeline({
  judge: create.createJudge(),
  extract: create.createExtractor(create.loadModel()),
});

let pages: { url: string; bytes: Uint8Array }[] = [];

const CHUNKS = join(root, 'src/understand/chunks/make-chunks.ts');
const makeChunks = existsSync(CHUNKS)
  ? ((await import(pathToFileURL(CHUNKS).href)) as { makeChunks: typeof MakeChunks }).makeChunks
  : undefined;

process.on('message', ({ file, first, count, chunks }: BatchRequest) => {
  if (pages.length === 0) pages = readPages(file);
  const batch = Array.from({ length: count }, (_, at) => pages[(first + at) % pages.length]!);
  const texts = chunks ? batch.map((page) => ({ url: page.url, markdown: transformPage(page) })) : [];
  const profiler = new GCProfiler();
  profiler.start();
  const usedBefore = process.memoryUsage().heapUsed;
  const cpuBefore = process.cpuUsage();
  const threadBefore = process.threadCpuUsage();
  if (chunks) for (const text of texts) chunkPage(text);
  else for (const page of batch) transformPage(page);
  const thread = process.threadCpuUsage(threadBefore);
  const cpu = process.cpuUsage(cpuBefore);
  const usedAfter = process.memoryUsage().heapUsed;
  process.send!({
    cpuMs: (cpu.user + cpu.system) / 1000,
    threadMs: (thread.user + thread.system) / 1000,
    ...readCollections(profiler.stop().statistics, usedBefore, usedAfter),
  } satisfies BatchAnswer);
});
process.send!('ready');

/** The work of a transform thread for a crawled page: Markdown and index entry, both as JSON. */
function transformPage({ url, bytes }: { url: string; bytes: Uint8Array }): string {
  const request: TransformRequest = {
    // A copy, as the thread gets one that it owns.
    page: { finalUrl: url, status: 200, headers: {}, contentType: 'text/html', bytes: bytes.slice(), fetchedAt: 1 },
    options: {
      ...{ formats: ['markdown'], onlyMainContent: true, includeTags: [], excludeTags: [], blockAds: true },
      removeBase64Images: true,
    },
    index: true,
  };
  const { content, entry }: TransformOutcome = pipeline(request);
  new TextEncoder().encode(JSON.stringify(content));
  if (entry) new TextEncoder().encode(JSON.stringify(entry));
  return content.markdown ?? '';
}

/** From the Markdown to what the thread sends back. */
function chunkPage(text: { url: string; markdown: string }): void {
  if (makeChunks) structuredClone(makeChunks(text, { maxTokens: 400, overlap: 0 }));
}

function readPages(file: string) {
  const encoder = new TextEncoder();
  const sources = JSON.parse(readFileSync(file, 'utf8')) as SourcePage[];
  return sources.map(({ url, html }) => ({ url, bytes: encoder.encode(html) }));
}

interface Collection {
  gcType: string;
  beforeGC: { heapStatistics: { usedHeapSize: number } };
  afterGC: { heapStatistics: { usedHeapSize: number } };
}

/** What was allocated is what the heap grew by between the collections. */
function readCollections(collections: readonly Collection[], usedBefore: number, usedAfter: number) {
  let allocatedBytes = 0;
  let last = usedBefore;
  for (const { beforeGC, afterGC } of collections) {
    allocatedBytes += beforeGC.heapStatistics.usedHeapSize - last;
    last = afterGC.heapStatistics.usedHeapSize;
  }
  const majorGcs = collections.filter(({ gcType }) => gcType === 'MarkSweepCompact').length;
  const minorGcs = collections.filter(({ gcType }) => gcType === 'Scavenge').length;
  return { allocatedBytes: allocatedBytes + usedAfter - last, minorGcs, majorGcs };
}
