// What a page costs in a transform thread: CPU time, garbage, and how often V8 compiles the same functions again.
// With --against, another checkout does the same batches in turn, so that both meet the same load of the machine.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatedArticle } from '../../test/support/web/generated.ts';
import { readPages } from '../extract/labelled-sets.ts';
import type { BenchOptions, Row } from '../report.ts';
import { startWorkerProcess, type WorkerProcess } from '../worker-process.ts';
import { readOptimisations } from './optimisations.ts';
import type { BatchAnswer, BatchRequest, SourcePage } from './transform-runner.ts';

type Runner = WorkerProcess<BatchRequest, BatchAnswer>;

interface Checkout {
  name: string;
  root: string;
}

const RUNNER = join(import.meta.dirname, 'transform-runner.ts');
const HERE = join(import.meta.dirname, '../..');
// The heap limits of a transform thread.
const FLAGS = ['--max-old-space-size=512', '--max-semi-space-size=5'];
const GENERATED_PAGES = 400;
/** Every tenth labelled page is measured, unless --every says otherwise. */
const EVERY = 10;
const ROUNDS = 7;
const SHOWN_FUNCTIONS = 12;

/** `count` is the number of pages in a round; as many are the warm-up, twice. */
export async function transform({ folder, against, count = 500, every = EVERY }: BenchOptions): Promise<Row[]> {
  const checkouts: Checkout[] = [{ name: 'this', root: HERE }];
  if (against !== undefined) checkouts.unshift({ name: 'other', root: against });
  const temporary = mkdtempSync(join(tmpdir(), 'trawl-bench-'));
  try {
    const file = join(temporary, 'pages.json');
    writeFileSync(file, JSON.stringify(folder === undefined ? generatedPages() : labelledPages(folder, every)));
    const rows = await measureInTurn(checkouts, { file, first: 0, count });
    for (const { name, root } of checkouts)
      rows.push(...(await countOptimisations(name, root, temporary, { file, first: 0, count })));
    return rows;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

const generatedPages = (): SourcePage[] =>
  Array.from({ length: GENERATED_PAGES }, (_, number) => ({
    url: `http://news.test/article/${number}`,
    html: generatedArticle(number),
  }));

const labelledPages = (folder: string, every: number): SourcePage[] =>
  Array.from(readPages(folder, every), ({ url, html }) => ({ url, html }));

async function measureInTurn(checkouts: readonly Checkout[], batch: BatchRequest): Promise<Row[]> {
  const runners: { name: string; runner: Runner; answers: BatchAnswer[] }[] = [];
  try {
    for (const { name, root } of checkouts) {
      runners.push({ name, runner: await startWorkerProcess(RUNNER, root, FLAGS), answers: [] });
    }
    for (let round = -2; round < ROUNDS; round++) {
      // Every round has other pages, and all runners the same.
      const pages = { ...batch, first: (round + 2) * batch.count };
      for (const { name, runner, answers } of runners) {
        const answer = await runner.ask(pages);
        if (round < 0) continue;
        answers.push(answer);
        console.log(`${name}: ${(answer.cpuMs / batch.count).toFixed(2)} ms a page`);
      }
    }
    const rows = runners.flatMap(({ name, answers }) => rowsOf(name, answers, batch.count));
    for (const { name, runner } of runners) rows.push(await measureChunks(name, runner, batch));
    return rows;
  } finally {
    for (const { runner } of runners) await runner.stop();
  }
}

async function measureChunks(system: string, runner: Runner, batch: BatchRequest): Promise<Row> {
  const times: number[] = [];
  for (let round = -2; round < ROUNDS; round++) {
    const { threadMs } = await runner.ask({ ...batch, first: (round + 2) * batch.count, chunks: true });
    if (round >= 0) times.push(threadMs / batch.count);
  }
  return { system, measure: 'chunks of a page, besides', value: median(times), unit: 'ms' };
}

function rowsOf(system: string, answers: readonly BatchAnswer[], count: number): Row[] {
  const perPage = (read: (answer: BatchAnswer) => number) => answers.map((answer) => read(answer) / count);
  const all = perPage(({ cpuMs }) => cpuMs).sort((a, b) => a - b);
  return [
    { system, measure: 'CPU time a page, median', value: median(all), unit: 'ms' },
    { system, measure: 'CPU time a page, lowest', value: all[0]!, unit: 'ms' },
    { system, measure: 'CPU time a page, highest', value: all.at(-1)!, unit: 'ms' },
    { system, measure: 'of it the thread', value: median(perPage(({ threadMs }) => threadMs)), unit: 'ms' },
    { system, measure: "of it V8's helpers", value: median(perPage((at) => at.cpuMs - at.threadMs)), unit: 'ms' },
    { system, measure: 'allocated a page', value: median(perPage((at) => at.allocatedBytes / 1e6)), unit: 'MB' },
    { system, measure: 'minor GCs per 1,000 pages', value: mean(perPage((at) => at.minorGcs * 1000)), unit: '' },
    { system, measure: 'major GCs per 1,000 pages', value: mean(perPage((at) => at.majorGcs * 1000)), unit: '' },
  ];
}

/** In a process of its own, because writing the trace costs time. */
async function countOptimisations(system: string, root: string, folder: string, batch: BatchRequest): Promise<Row[]> {
  const trace = join(folder, `trace-${system}`);
  const flags = [
    ...FLAGS,
    '--trace-opt',
    '--trace-deopt',
    '--redirect-code-traces',
    `--redirect-code-traces-to=${trace}`,
  ];
  const runner: Runner = await startWorkerProcess(RUNNER, root, flags);
  const rounds = 3;
  try {
    for (let round = -2; round < 0; round++) await runner.ask({ ...batch, first: (round + 2) * batch.count });
    const warm = statSync(trace).size;
    for (let round = 0; round < rounds; round++) await runner.ask({ ...batch, first: (round + 2) * batch.count });
    const found = readOptimisations(readFileSync(trace).subarray(warm).toString());
    const list = found.functions.slice(0, SHOWN_FUNCTIONS).map(([name, count]) => `${name} ${count}`);
    console.log(`${system}: optimised after the warm-up, in ${rounds * batch.count} pages: ${list.join(', ')}`);
    const perThousand = 1000 / (rounds * batch.count);
    return [
      { system, measure: 'optimisations per 1,000 pages', value: found.count * perThousand, unit: '', aim: '< 100' },
      { system, measure: 'deoptimisations per 1,000 pages', value: found.deoptimisations * perThousand, unit: '' },
    ];
  } finally {
    await runner.stop();
  }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
