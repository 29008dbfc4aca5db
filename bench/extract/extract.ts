// From HTML to the Markdown of the main content, next to others who do the same: how good on labelled pages, how dear on
// those pages as they are and with the bytes of scripts and styles that real ones carry.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabelledPage } from '../../scripts/labelled/pages.ts';
import { installPeers } from '../peers.ts';
import { type BenchOptions, RESULTS, type Row } from '../report.ts';
import { type Cost, type ExtractorResult, type PageResult, rowsOf, scorePage } from './extract-report.ts';
import { type ExtractorProcess, startExtractor } from './extractor-process.ts';
import type { ExtractAnswer } from './extractor-runner.ts';
import { readPages } from './labelled-sets.ts';
import { createPageFiller } from './raw-pages.ts';

interface System {
  name: string;
  module: string;
  flags?: string[];
}

// With the heap of a transform thread.
const OURS: System = {
  name: 'Trawl',
  module: 'trawl-extractor.ts',
  flags: ['--max-old-space-size=512', '--max-semi-space-size=5'],
};
// The one whose cost all are held against.
const RIVAL: System = { name: 'Readability', module: '../peers/readability.mjs' };
const PEERS: System[] = [
  RIVAL,
  { name: 'defuddle', module: '../peers/defuddle.mjs' },
  { name: 'mdream', module: '../peers/mdream.mjs' },
];

// Slow peers would take an hour for all pages.
const PEER_SAMPLE = 4;
const WARM_UP_MS = 8_000;
const PROGRESS_MS = 10_000;

export async function extract({ folder, every, only, peers }: BenchOptions): Promise<Row[]> {
  if (folder === undefined) throw new Error('Say where the labelled pages are: npm run bench -- extract FOLDER');
  const isChosen = (system: System) => only === undefined || nameOf(system) === only.toLowerCase();
  const chosenPeers = peers ? PEERS.filter(isChosen) : [];
  if (!isChosen(OURS) && chosenPeers.length === 0) {
    throw new Error(`--only knows ${[OURS, ...PEERS].map(nameOf).join(', ')}.`);
  }
  if (chosenPeers.length > 0) installPeers();

  const ours = isChosen(OURS) ? [await measure(OURS, folder, every ?? 1)] : [];
  const theirs: ExtractorResult[] = [];
  for (const peer of chosenPeers) theirs.push(await measure(peer, folder, every ?? PEER_SAMPLE));

  // Next to the peers stands what Trawl makes of the pages they had; the column of all its pages comes last.
  const isSample = every === undefined && theirs.length > 0;
  const columns = isSample
    ? [...ours.map(asPeers), ...theirs, ...ours.map((all) => ({ ...all, system: `${all.system}, all pages` }))]
    : [...ours, ...theirs];
  const rival = theirs.find(({ system }) => system === RIVAL.name);
  // Only costs on the same pages can be compared.
  return columns.flatMap((column) => rowsOf(column, column.pages.length === rival?.pages.length ? rival : undefined));
}

const asPeers = (measured: ExtractorResult): ExtractorResult => ({
  ...measured,
  pages: measured.pages.filter(({ position }) => position % PEER_SAMPLE === 0),
});

const nameOf = ({ name }: System): string => name.toLowerCase();

async function measure({ name, module, flags }: System, folder: string, every: number): Promise<ExtractorResult> {
  const extractor = await startExtractor(join(import.meta.dirname, module), flags);
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
    const refill = createPageFiller();
    let n = 0;
    for (const page of readPages(folder, every)) {
      const { bytes, cpuMs } = await ask(extractor, refill(page.html), page.url);
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

/** Code that runs often is compiled better; only that speed counts. */
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

/** Page by page, to find out where the loss is. */
function writePages(name: string, pages: PageResult[]): void {
  mkdirSync(RESULTS, { recursive: true });
  const lines = pages.map((page) => `${JSON.stringify(page)}\n`);
  writeFileSync(join(RESULTS, `extract-${name.toLowerCase()}.jsonl`), lines.join(''));
}
