// HTML to the Markdown of the main content, compared with other extractors: quality on labelled pages, and CPU time on these
// pages without scripts and styles (dense) and with generated ones (raw).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabelledPage } from '../../scripts/labelled/pages.ts';
import { NotInstalled } from '../install.ts';
import { type BenchOptions, RESULTS, type Row } from '../report.ts';
import { type Cost, type ExtractorResult, type PageResult, rowsOf, scorePage } from './extract-report.ts';
import type { ExtractorProcess } from './extractor-process.ts';
import type { ExtractAnswer } from './extractor-runner.ts';
import { readPages } from './labelled-sets.ts';
import { createPageFiller } from './raw-pages.ts';
import { OURS, PEERS, RIVAL, type System } from './systems.ts';

// Peers get every fourth page; slow ones would take an hour for all.
const PEER_SAMPLE = 4;
const WARM_UP_MS = 8_000;
const PROGRESS_MS = 10_000;

export async function extract({ folder, every, only, peers }: BenchOptions): Promise<Row[]> {
  if (folder === undefined) throw new Error('Pass the folder with the labelled pages: npm run bench -- extract FOLDER');
  const names = only?.toLowerCase().split(',');
  const unknown = names?.find((name) => ![OURS, ...PEERS].some((system) => nameOf(system) === name));
  if (unknown !== undefined) throw new Error(`--only takes names of ${[OURS, ...PEERS].map(nameOf).join(', ')}.`);
  const isChosen = (system: System) => names === undefined || names.includes(nameOf(system));

  const ours = isChosen(OURS) ? [await measure(OURS, folder, every ?? 1)] : [];
  const theirs: ExtractorResult[] = [];
  for (const peer of peers ? PEERS.filter(isChosen) : []) {
    try {
      theirs.push(await measure(peer, folder, every ?? PEER_SAMPLE));
    } catch (error) {
      if (!(error instanceof NotInstalled)) throw error;
      console.log(`${peer.name} is skipped, because it could not be installed: ${error.message}`);
    }
  }

  // Peers are compared with Trawl on the pages they were given. The last column has Trawl on all pages.
  const isSample = every === undefined && theirs.length > 0;
  const columns = isSample
    ? [...ours.map(onPeerPages), ...theirs, ...ours.map((all) => ({ ...all, system: `${all.system}, all pages` }))]
    : [...ours, ...theirs];
  const rival = theirs.find(({ system }) => system === RIVAL.name);
  // Costs are comparable on the same pages only.
  return columns.flatMap((column) => rowsOf(column, column.pages.length === rival?.pages.length ? rival : undefined));
}

const onPeerPages = (result: ExtractorResult): ExtractorResult => ({
  ...result,
  pages: result.pages.filter(({ position }) => position % PEER_SAMPLE === 0),
});

const nameOf = ({ name }: System): string => name.toLowerCase();

async function measure({ name, start }: System, folder: string, every: number): Promise<ExtractorResult> {
  const extractor = await start();
  const progress = createProgress(name);
  const pages: PageResult[] = [];
  try {
    await warmUp(extractor, folder, every);
    for (const page of readPages(folder, every)) {
      const { markdown, error, ...dense } = await ask(extractor, page.html, page.url);
      pages.push({ ...scorePage(page, markdown), error, dense, raw: dense });
      progress('dense', page);
    }
    const densePeakMb = extractor.peakMb();
    const fillPage = createPageFiller();
    let n = 0;
    for (const page of readPages(folder, every)) {
      const { bytes, cpuMs } = await ask(extractor, fillPage(page.html), page.url);
      pages[n++]!.raw = { bytes, cpuMs };
      progress('raw', page);
    }
    const firstError = pages.find(({ error }) => error !== undefined)?.error;
    if (firstError !== undefined) console.log(`${name} failed, first with: ${firstError}`);
    writePages(name, pages);
    return { system: name, pages, peakMb: { dense: densePeakMb, raw: extractor.peakMb() } };
  } finally {
    await extractor.stop();
  }
}

const ask = async (extractor: ExtractorProcess, html: string, url: string): Promise<ExtractAnswer & Cost> => ({
  ...(await extractor.ask(html, url)),
  bytes: Buffer.byteLength(html),
});

/** Runs until the code is compiled and optimised. */
async function warmUp(extractor: ExtractorProcess, folder: string, every: number): Promise<void> {
  let spent = 0;
  for (const { html, url } of readPages(folder, every)) {
    spent += (await extractor.ask(html, url)).cpuMs;
    if (spent > WARM_UP_MS) return;
  }
}

function createProgress(name: string) {
  let [last, count, pass] = [performance.now(), 0, ''];
  return (current: string, { set }: LabelledPage) => {
    count = current === pass ? count + 1 : 1;
    pass = current;
    if (performance.now() - last < PROGRESS_MS) return;
    last = performance.now();
    console.log(`${name}: ${count} ${pass} pages (${set})`);
  };
}

/** Writes the result of each page, to find the bad ones. */
function writePages(name: string, pages: PageResult[]): void {
  mkdirSync(RESULTS, { recursive: true });
  const lines = pages.map((page) => `${JSON.stringify(page)}\n`);
  writeFileSync(join(RESULTS, `extract-${name.toLowerCase()}.jsonl`), lines.join(''));
}
