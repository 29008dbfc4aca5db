// OCR of pages of this manual, drawn at 200 dpi: the share of wrong characters on clean pages and bad scans, and the CPU time
// per page.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createOcr } from '../src/parse/ocr/create-ocr.ts';
import { ocrMarkdown } from '../src/parse/ocr/layout/ocr-markdown.ts';
import type { Ocr } from '../src/parse/ocr/ocr.ts';
import { drawPage } from '../src/parse/pdf/readers/liteparse.ts';
import { findProgram } from '../src/runtime/programs/find-program.ts';
import { makePdf } from '../test/support/pdf.ts';
import { editShare } from './documents/similarity.ts';
import type { BenchOptions, Row } from './report.ts';

interface Page {
  text: string;
  clean: Uint8Array;
  degraded: Uint8Array | undefined;
}

const PAGES = 12;
const CHARACTERS_PER_LINE = 84;
const LINES_PER_PAGE = 42;
// Page size in points.
const [WIDTH, HEIGHT] = [612, 792];
const TICKS_PER_SECOND = 100;
/** Rotated by 0.8 degrees, blurred, noisy and pale. */
const BAD_SCAN = 'format=gray,rotate=0.014:fillcolor=white,gblur=sigma=0.8,noise=alls=22:all_seed=7,eq=contrast=0.8';

export async function ocr({ count = PAGES, only, peers }: BenchOptions): Promise<Row[]> {
  const searchPath = process.env.PATH ?? '';
  const languages = ['eng'];
  const systems = [
    { name: 'tesseract', ocr: createOcr({ languages, searchPath }) },
    { name: 'bundled', ocr: createOcr({ languages, searchPath: '' }) },
  ].filter(({ name }) => (only === undefined ? peers || name === 'tesseract' : name === only));
  const pages = await drawPages(count, findProgram(['ffmpeg'], searchPath));
  const rows: Row[] = [];
  for (const { name, ocr } of systems) {
    rows.push(...(await measure('clean', '<= 1', name, ocr, pages)));
    if (pages[0]?.degraded) rows.push(...(await measure('degraded', '<= 1.5', name, ocr, pages)));
  }
  return rows;
}

async function measure(
  quality: 'clean' | 'degraded',
  aim: string,
  system: string,
  ocr: Ocr,
  pages: Page[],
): Promise<Row[]> {
  const before = cpuSeconds();
  let wrong = 0;
  const queue = pages.values();
  const work = async () => {
    for (const page of queue) {
      const read = await ocr.read({ bytes: page[quality]!, dpi: 200 }, new AbortController().signal);
      wrong += editShare(collapse(page.text), collapse(ocrMarkdown(read).replaceAll(/\\(?=[^\w\s])|^(#+|-) /gm, '')));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const seconds = (cpuSeconds() - before) / pages.length;
  return [
    { measure: `wrong characters, ${quality}`, value: (100 * wrong) / pages.length, unit: '%', aim, system },
    { measure: `CPU a page, ${quality}`, value: seconds, unit: 's', aim: '<= 3', system },
  ];
}

async function drawPages(count: number, ffmpeg: string | undefined): Promise<Page[]> {
  const lines = linesOf(manual());
  const texts = Array.from({ length: count }, (_, n) => lines.slice(n * LINES_PER_PAGE, (n + 1) * LINES_PER_PAGE));
  const written = texts.filter((some) => some.length > 0);
  const pdf = makePdf(written.map((some) => ({ lines: some })));
  const pages: Page[] = [];
  for (const [at, some] of written.entries()) {
    const drawn = await drawPage(pdf, at + 1, WIDTH, HEIGHT);
    if (!drawn) throw new Error('A page could not be drawn.');
    const degraded = ffmpeg === undefined ? undefined : degrade(ffmpeg, drawn.bytes);
    pages.push({ text: some.join('\n'), clean: drawn.bytes, degraded });
  }
  return pages;
}

function degrade(ffmpeg: string, png: Uint8Array): Uint8Array {
  const args = [
    '-v',
    'error',
    '-f',
    'png_pipe',
    '-i',
    'pipe:0',
    '-vf',
    BAD_SCAN,
    '-c:v',
    'png',
    '-f',
    'image2pipe',
    'pipe:1',
  ];
  const { status, stdout, stderr } = spawnSync(ffmpeg, args, { input: png, maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`ffmpeg: ${stderr}`);
  return stdout;
}

/** The prose of the manual, without code, tables and characters missing from the font. */
function manual(): string {
  const root = join(import.meta.dirname, '..');
  const files = globSync('{*.md,docs/*/*.md}', { cwd: root }).sort();
  const paragraphs = files.flatMap((file) => readFileSync(join(root, file), 'utf8').split('\n'));
  return paragraphs
    .filter((text) => /^(?:- |\d+\. )?\W*[A-Z]/.test(text) && text.length > 80 && /^[\x20-\x7e]*$/.test(text))
    .map((text) => text.replace(/^(?:- |\d+\. )/, ''))
    .join(' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|<>]/g, '');
}

function linesOf(text: string): string[] {
  const lines: string[] = [''];
  for (const word of text.split(/\s+/)) {
    if (lines.at(-1)!.length + word.length >= CHARACTERS_PER_LINE) lines.push('');
    lines.push(`${lines.pop()!} ${word}`.trimStart());
  }
  return lines;
}

const collapse = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** CPU time of this process and of its children that have ended. */
function cpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ').map(Number);
  return (fields[11]! + fields[12]! + fields[13]! + fields[14]!) / TICKS_PER_SECOND;
}
