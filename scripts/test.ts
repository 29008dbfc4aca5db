// `npm test`: the linter, the type checks and the test files that decide about a change. `npm run test:full`: all test files.
// `npm test -- PATTERN ...` runs only the files whose path contains a pattern. Prints failures and a summary, nothing
// else. `--help` lists the options, and docs/extend/testing.md explains them.
import { randomInt } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changedFiles, isCommit, touchedTests } from './test/changes.ts';
import { coverageTable } from './test/coverage.ts';
import { cpuOfChildren } from './test/cpu-time.ts';
import { type ImportGraph, readImportGraph } from './test/import-graph.ts';
import type { TestResult } from './test/inside/reporter.ts';
import { ownProcessReason } from './test/isolation.ts';
import { type Part, partOf } from './test/parts.ts';
import { createProcessGroups } from './test/process-group.ts';
import { createProgress } from './test/progress.ts';
import { runQueue, shardOf, type Task } from './test/queue.ts';
import { createFileRunner } from './test/run-file.ts';
import { folderOf, roomOf, seconds, timesByFile, timesByFolder } from './test/summary.ts';
import { record, recordedTimes, remember, rememberedTimes, type Times } from './test/times.ts';
import { watchFolders } from './test/watch.ts';

const CORES = availableParallelism();
const TIMEOUT_S = 300;
const LONG_TIMEOUT_S = 3_600;
const CLEAR_SCREEN = '\x1b[2J\x1b[3J\x1b[H';
/** The suites that compare an output with an `expected.md`. */
const CASE_SUITES = ['test/pages.test.ts', 'test/documents.test.ts', 'test/texts.test.ts'];
const RULES = 'test/architecture/';
// One checker: several repeat much of the work, and the other cores have tests to run.
const CHECKS = ['biome check .', 'tsc --noEmit --checkers 1', 'tsc --noEmit --checkers 1 --project web/console'];
/** Where modules are that tests may load. */
const MODULES = ['src', 'test', 'scripts', 'bench', 'demo', 'bin', 'web'];

const { values, positionals: patterns } = parseArgs({
  args: withChangedValue(process.argv.slice(2)),
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    rest: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    changed: { type: 'string' },
    shard: { type: 'string' },
    watch: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    times: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    seed: { type: 'string' },
    update: { type: 'string' },
    timeout: { type: 'string' },
    jobs: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const timeoutMs = Number(values.timeout ?? (values.long ? LONG_TIMEOUT_S : TIMEOUT_S)) * 1000;
// A long run looks at new cases each time; an ordinary run always uses the seeds written in the test files.
const seed = values.seed ?? (values.long ? String(randomInt(2 ** 31)) : undefined);
const scratch = mkdtempSync(join(tmpdir(), 'trawl-test-'));
const coverage = values.coverage ? join(scratch, 'coverage') : undefined;
const groups = createProcessGroups();
// Whoever names a file wants to see it run.
const part: Part = values.rest ? 'rest' : values.full || values.long || patterns.length > 0 ? 'all' : 'short';
const env = {
  ...(values.long && { TRAWL_TEST_LONG: '1' }),
  ...(seed !== undefined && { TRAWL_TEST_SEED: seed }),
  ...(values.update !== undefined && { TRAWL_TEST_UPDATE: values.update }),
  ...(coverage !== undefined && { NODE_V8_COVERAGE: coverage }),
};

process.on('exit', () => {
  groups.killAll();
  rmSync(scratch, { recursive: true, force: true });
});
const progress = createProgress(process.stdout);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    progress.interrupt();
    process.exit(values.watch ? 0 : 1);
  });
}

if (values.help) showHelp();
else if (values.times) showTimes();
else if (values.list) listFiles();
else if (values.watch) await runOnChanges();
else process.exitCode = await runOnce();

/** `--changed` alone means: since the last commit. */
function withChangedValue(args: string[]): string[] {
  const at = args.indexOf('--changed');
  if (at < 0) return args;
  const commit = args[at + 1] !== undefined && isCommit(args[at + 1]!) ? args[at + 1]! : undefined;
  return args.toSpliced(at, commit === undefined ? 1 : 2, `--changed=${commit ?? 'HEAD'}`);
}

/** The list of commands at the beginning of the chapter about tests. */
function showHelp(): void {
  console.log(/^```sh\n([^`]*)```$/m.exec(readFileSync('docs/extend/testing.md', 'utf8'))![1]!.trimEnd());
}

function listFiles(): void {
  const files = selectJobs(readGraph()).flatMap(({ file }) => file ?? []);
  console.log(files.sort().join('\n'));
}

function showTimes(): void {
  const files = new Set(globSync('test/**/*.test.ts'));
  const times = Object.fromEntries(Object.entries(rememberedTimes()).filter(([name]) => files.has(name)));
  console.log([...timesByFile(times, true), '', ...timesByFolder(times, roomOf)].join('\n'));
}

async function runOnChanges(): Promise<never> {
  const changes = watchFolders(['src', 'test']);
  for (;;) {
    if (process.stdout.isTTY) process.stdout.write(CLEAR_SCREEN);
    await runOnce();
    console.log('\nWaiting for changes. Ctrl-C ends.');
    await changes.next();
  }
}

function readGraph(): ImportGraph {
  return readImportGraph(values.changed === undefined ? ['test'] : MODULES);
}

interface Job extends Task {
  /** Undefined for the linter and the type checks. */
  file?: string;
}

async function runOnce(): Promise<number> {
  const began = performance.now();
  const graph = readGraph();
  const deps = { groups, timeoutMs, env, partOf: (file: string) => partOf(file, part, graph) ?? 'all' };
  const runner = createFileRunner(deps, (file) => ownProcessReason(file, graph) !== undefined);
  const count = { passed: 0, failed: 0, skipped: 0 };
  const add = (results: readonly TestResult[]) => {
    for (const { outcome } of results) count[outcome] += 1;
  };
  const times: Times = {};
  const jobs = selectJobs(graph);
  await runQueue(jobs, limits(), async ({ name, file }, lane) => {
    const end = progress.begin(name, jobs.length);
    if (file === undefined) {
      if (!(await isClean(name, times))) count.failed += 1;
    } else {
      const { results, ms, cpuMs } = await runner.run(file, lane);
      times[name] = { ms, cpuMs };
      add(results);
    }
    end();
  });
  add(await runner.end());
  remember(times);
  if (values.record)
    record(times, [...globSync('test/**/*.test.ts').flatMap((file) => [file, restOf(file)]), ...CHECKS]);
  return summarise(count, times, performance.now() - began);
}

function limits() {
  // A fixed number of jobs means: that many, whatever they use.
  return values.jobs === undefined
    ? { cores: CORES, lanes: CORES + 1 }
    : { cores: Infinity, lanes: Math.max(1, Number(values.jobs)) };
}

/** The name under which the rest of a file is known, which takes another time than its short part. */
function restOf(file: string): string {
  return `${file} (rest)`;
}

function selectJobs(graph: ImportGraph): Job[] {
  const isWhole = patterns.length === 0 && values.update === undefined;
  const nameOf = (file: string) => (partOf(file, part, graph) === 'rest' ? restOf(file) : file);
  const files = selectFiles(graph).map((file): Job => ({ name: nameOf(file), file }));
  const checks = isWhole && !values.rest ? CHECKS.map((name): Job => ({ name })) : [];
  const timed = (jobs: Job[], times: Times) => jobs.map((job) => ({ ...job, ...times[job.name] }));
  if (values.shard === undefined) return timed([...checks, ...files], rememberedTimes());
  const [index, count] = values.shard.split('/').map(Number) as [number, number];
  if (!(index >= 1 && index <= count)) throw new Error('--shard takes a part and a number of parts, such as 1/4.');
  return shardOf(timed([...checks, ...files], recordedTimes()), index, count);
}

function selectFiles(graph: ImportGraph): string[] {
  if (values.update !== undefined) return CASE_SUITES;
  const files = globSync('test/**/*.test.ts').filter(
    (file) => patterns.length === 0 || patterns.some((part) => file.includes(part)),
  );
  const inPart = files.filter((file) => partOf(file, part, graph) !== undefined);
  if (values.changed === undefined) return inPart;
  const changed = changedFiles(values.changed);
  const touched = new Set([...touchedTests(inPart, changed, graph), ...files.filter((file) => changed.includes(file))]);
  console.log(`${changed.length} files differ from ${values.changed}; they touch ${touched.size} test files.`);
  return files.filter((file) => touched.has(file) || file.startsWith(RULES));
}

async function isClean(check: string, times: Times): Promise<boolean> {
  const [command, ...args] = check.split(' ');
  const began = performance.now();
  const { ended, output } = groups.start(command!, args);
  const { code } = await ended;
  const ms = performance.now() - began;
  // They use about one core.
  times[check] = { ms, cpuMs: ms };
  if (code !== 0) console.log(`✖ ${check}\n${output()}`);
  return code === 0;
}

function summarise(count: Record<TestResult['outcome'], number>, times: Times, ms: number): number {
  const ran = count.passed + count.failed + count.skipped > 0;
  const files = Object.fromEntries(Object.entries(times).filter(([name]) => !CHECKS.includes(name)));
  const long = timesByFile(files);
  if (long.length > 0) console.log(['\nFiles over 10 s:', ...long].join('\n'));
  if (ran) console.log(['', ...timesByFolder(files, folderOf)].join('\n'));
  if (coverage !== undefined) console.log(['', ...coverageTable(coverage)].join('\n'));
  if (seed !== undefined) console.log(`\nSeed ${seed}. Repeat the same cases with --seed=${seed}.`);
  if (!ran) console.log(`\nNo test ran${patterns.length > 0 ? `: no file matches ${patterns.join(', ')}` : ''}.`);
  console.log(
    `\n${Object.keys(files).length} files in ${seconds(ms).trim()} s, ${seconds(cpuOfChildren()).trim()} s of CPU time`,
  );
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
  console.log(`${count.passed} passed, ${count.failed} failed${skipped}`);
  return ran && count.failed === 0 ? 0 : 1;
}
