// Coverage of src by folder, from what V8 wrote in every process and thread of a run (NODE_V8_COVERAGE). Read file by file
// into one map for each source: all of it at once would take gigabytes.
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** As V8 writes it: functions from the outside to the inside, and blocks in them. */
interface ScriptCoverage {
  url: string;
  functions: { isBlockCoverage: boolean; ranges: { startOffset: number; endOffset: number; count: number }[] }[];
}

interface Covered {
  /** The code without types, which V8 does not see either; positions are the same. */
  code: string;
  /** 1 for each character that some process has run. */
  ran: Uint8Array;
  /** Blocks that some process has run more or less often than what is around them, by their start. */
  blocks: Set<number>;
}

interface Sum {
  files: number;
  lines: number;
  linesRan: number;
  branches: number;
  branchesRan: number;
}

/** Rows of a table: a folder of src each, and all of it at the end. */
export function coverageTable(folder: string): string[] {
  const sources = new Map(globSync('src/**/*.ts').map((path) => [path, emptyCoverage(path)]));
  for (const name of readdirSync(folder)) {
    for (const script of readScripts(join(folder, name))) {
      const source = sources.get(script.path);
      if (source) addRun(source, script.functions);
    }
  }
  const sums = new Map<string, Sum>();
  const total = emptySum();
  for (const [path, source] of sources) {
    const room = path.split('/').slice(0, 2).join('/');
    if (!sums.has(room)) sums.set(room, emptySum());
    for (const sum of [sums.get(room)!, total]) count(source, sum);
  }
  const rows = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  return ['  lines  branches  files', ...rows.map(([room, sum]) => row(room, sum)), row('all', total)];
}

function emptyCoverage(path: string): Covered {
  const code = withoutComments(stripTypeScriptTypes(readFileSync(path, 'utf8')));
  return { code, ran: new Uint8Array(code.length), blocks: new Set() };
}

/** Comments become spaces. Text in strings that looks like a comment makes a line count less, which hardly matters. */
const withoutComments = (code: string): string =>
  code.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' '));

function readScripts(file: string): { path: string; functions: ScriptCoverage['functions'] }[] {
  let scripts: ScriptCoverage[];
  try {
    scripts = (JSON.parse(readFileSync(file, 'utf8')) as { result: ScriptCoverage[] }).result;
  } catch {
    // A process was killed while it wrote.
    return [];
  }
  return scripts
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url, functions }) => ({ path: relative(process.cwd(), fileURLToPath(url)), functions }));
}

function addRun({ ran, blocks }: Covered, functions: ScriptCoverage['functions']): void {
  const own = new Uint8Array(ran.length);
  for (const { isBlockCoverage, ranges } of functions) {
    for (const [index, { startOffset, endOffset, count }] of ranges.entries()) {
      own.fill(count > 0 ? 1 : 0, startOffset, endOffset);
      if (isBlockCoverage && index > 0) blocks.add(startOffset);
    }
  }
  for (let at = 0; at < ran.length; at += 1) ran[at]! |= own[at]!;
}

function count({ code, ran, blocks }: Covered, sum: Sum): void {
  sum.files += 1;
  let start = 0;
  for (const line of code.split('\n')) {
    const first = line.search(/[^\s{}()[\];,]/);
    if (first >= 0) {
      sum.lines += 1;
      sum.linesRan += ran[start + first]!;
    }
    start += line.length + 1;
  }
  for (const block of blocks) {
    sum.branches += 1;
    sum.branchesRan += ran[block] ?? 0;
  }
}

const emptySum = (): Sum => ({ files: 0, lines: 0, linesRan: 0, branches: 0, branchesRan: 0 });

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`);

const row = (name: string, { files, lines, linesRan, branches, branchesRan }: Sum): string =>
  `${percent(linesRan, lines).padStart(7)} ${percent(branchesRan, branches).padStart(9)} ${String(files).padStart(6)}  ${name}`;
