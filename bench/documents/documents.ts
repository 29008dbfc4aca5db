// PDF to Markdown, compared with the engines that Trawl chooses from: text and its order, tables, headings, invented tables,
// CPU time, and a file of a thousand pages.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchOptions, RESULTS, type Row } from '../report.ts';
import { startWorkerProcess } from '../worker-process.ts';
import { makeLargePdf } from './large-pdf.ts';
import type { PdfAnswer } from './pdf-runner.ts';
import { type Scores, score } from './pdf-score.ts';

interface System {
  name: string;
  module: string;
}

const SYSTEMS: readonly System[] = [
  { name: 'Trawl', module: 'trawl.ts' },
  { name: 'liteparse', module: 'liteparse.ts' },
  { name: 'pdf-inspector', module: 'pdf-inspector.ts' },
  { name: 'pdf.js', module: 'pdfjs.ts' },
];
const LARGE_PAGES = 1_000;
const ROUNDS = 5;
const READERS = import.meta.dirname;

const startReader = (module: string) =>
  startWorkerProcess<string, PdfAnswer>(join(READERS, 'pdf-runner.ts'), join(READERS, module));

interface FileResult extends Scores {
  id: string;
  error: string | undefined;
}

export async function documents({ folder, every, only, peers, count }: BenchOptions): Promise<Row[]> {
  if (folder === undefined) throw new Error('Pass the folder with the PDF files: npm run bench -- documents FOLDER');
  const ids = readdirSync(folder)
    .filter((file) => file.endsWith('.pdf'))
    .map((file) => file.slice(0, -'.pdf'.length))
    .sort()
    .filter((_, at) => at % (every ?? 1) === 0);
  const isChosen = ({ name }: System) => (only === undefined ? peers || name === 'Trawl' : name.toLowerCase() === only);
  const systems = SYSTEMS.filter(isChosen);
  if (systems.length === 0)
    throw new Error(`--only takes one of ${SYSTEMS.map(({ name }) => name.toLowerCase()).join(', ')}.`);
  const rows: Row[] = [];
  for (const system of systems) {
    rows.push(...(await measureFiles(system, folder, ids)), ...(await measureLarge(system, count ?? LARGE_PAGES)));
  }
  return rows;
}

async function measureFiles({ name, module }: System, folder: string, ids: readonly string[]): Promise<Row[]> {
  const reader = await startReader(module);
  const results: FileResult[] = [];
  // The first round is warm-up. Of the others, the cheapest counts for each file, since other load can only add CPU time.
  const cpuMs = new Map(ids.map((id) => [id, Number.POSITIVE_INFINITY]));
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const id of ids) {
        const answer = await reader.ask(join(folder, `${id}.pdf`));
        if (round > 0) cpuMs.set(id, Math.min(cpuMs.get(id)!, answer.cpuMs));
        else results.push(resultOf(id, readFileSync(join(folder, `${id}.md`), 'utf8'), answer));
      }
    }
    const cpuSeconds = [...cpuMs.values()].reduce((sum, ms) => sum + ms, 0) / 1000;
    mkdirSync(RESULTS, { recursive: true });
    const lines = results.map((result) => `${JSON.stringify(result)}\n`);
    writeFileSync(join(RESULTS, `documents-${name.toLowerCase()}.jsonl`), lines.join(''));
    return rowsOf(name, results, ids.length / cpuSeconds, reader.peakMb());
  } finally {
    await reader.stop();
  }
}

const resultOf = (id: string, truth: string, { markdown, error }: PdfAnswer): FileResult => ({
  id,
  error,
  ...score(truth, markdown),
});

function rowsOf(system: string, results: readonly FileResult[], pagesPerSecond: number, peakMb: number): Row[] {
  const withoutTable = results.filter(({ truthHasTable }) => !truthHasTable);
  const half = (rest: number) => mean(results.filter((_, at) => at % 2 === rest).map(({ overall }) => overall));
  const row = (measure: string, value: number, unit: string, aim?: string): Row => ({
    measure,
    value,
    unit,
    aim,
    system,
  });
  return [
    row('overall', mean(results.map(({ overall }) => overall)), 'of 1', '>= .885, better than either engine'),
    row('overall, even positions', half(0), 'of 1'),
    row('overall, odd positions', half(1), 'of 1'),
    row('text and order (NID)', mean(results.map(({ nid }) => nid)), 'of 1'),
    row('tables (TEDS)', mean(results.map(({ teds }) => teds)), 'of 1', '>= .84'),
    row('headings (MHS)', mean(results.map(({ mhs }) => mhs)), 'of 1'),
    row(
      'pages with an invented table',
      withoutTable.filter(({ hasTable }) => hasTable).length,
      `of ${withoutTable.length}`,
      '<= 2 %',
    ),
    row('failures', results.filter(({ error }) => error !== undefined).length, `of ${results.length}`, '0'),
    row('pages a CPU-second', pagesPerSecond, '1/s', '>= 90'),
    row('peak memory', peakMb, 'MB'),
  ];
}

async function measureLarge({ name, module }: System, pages: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-bench-'));
  const reader = await startReader(module);
  try {
    const file = join(folder, 'large.pdf');
    writeFileSync(file, makeLargePdf(pages));
    const { cpuMs, error } = await reader.ask(file);
    if (error !== undefined) console.log(`${name} failed on the large file: ${error}`);
    return [
      { measure: 'one large document: pages a CPU-second', value: (pages * 1000) / cpuMs, unit: '1/s', system: name },
      { measure: 'one large document: peak memory', value: reader.peakMb(), unit: 'MB', aim: '< 500', system: name },
    ];
  } finally {
    await reader.stop();
    rmSync(folder, { recursive: true });
  }
}

function mean(values: readonly (number | undefined)[]): number {
  const known = values.filter((value) => value !== undefined);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}
