// `npm test`: the linter, the type check and every test file, several at a time, the slow ones first.
// `npm test -- PATTERN ...` runs only the files whose path contains a pattern. Prints failures and a summary, nothing
// else. docs/12-testing.md explains the options.
import { randomInt } from 'node:crypto';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { slowFirst } from './test/order.ts';
import { createProcessGroups } from './test/process-group.ts';
import { createFileRunner, type TestResult } from './test/run-file.ts';
import { watchFolders } from './test/watch.ts';

// Tests wait for timers, disks and other processes about a third of their time.
const CONCURRENCY = availableParallelism() + 1;
const TIMEOUT_S = 300;
const LONG_TIMEOUT_S = 3_600;
const SLOWEST = 10;
const CLEAR_SCREEN = '\x1b[2J\x1b[3J\x1b[H';
/** The suites that compare an output with an `expected.md`. */
const CASE_SUITES = ['test/pages.test.ts', 'test/documents.test.ts', 'test/texts.test.ts'];
const CHECKS = [
  ['biome', 'check', '.'],
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '--project', 'web/console'],
];

type Counts = Record<TestResult['outcome'], number>;

const { values, positionals: patterns } = parseArgs({
  allowPositionals: true,
  options: {
    watch: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    seed: { type: 'string' },
    update: { type: 'string' },
    timeout: { type: 'string' },
    jobs: { type: 'string', default: String(CONCURRENCY) },
  },
});
const timeoutMs = Number(values.timeout ?? (values.long ? LONG_TIMEOUT_S : TIMEOUT_S)) * 1000;
// A long run looks at new cases each time; an ordinary run always uses the seeds written in the test files.
const seed = values.seed ?? (values.long ? String(randomInt(2 ** 31)) : undefined);
const scratch = mkdtempSync(join(tmpdir(), 'trawl-test-'));
const groups = createProcessGroups();
const runFile = createFileRunner({
  groups,
  scratch,
  timeoutMs,
  env: {
    ...(values.long && { TRAWL_TEST_LONG: '1' }),
    ...(seed !== undefined && { TRAWL_TEST_SEED: seed }),
    ...(values.update !== undefined && { TRAWL_TEST_UPDATE: values.update }),
  },
});

process.on('exit', () => {
  groups.killAll();
  rmSync(scratch, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(values.watch ? 0 : 1));

if (values.watch) await runOnChanges();
else process.exitCode = await runOnce();

async function runOnChanges(): Promise<never> {
  const changes = watchFolders(['src', 'test']);
  for (;;) {
    if (process.stdout.isTTY) process.stdout.write(CLEAR_SCREEN);
    await runOnce();
    console.log('\nWaiting for changes. Ctrl-C ends.');
    await changes.next();
  }
}

async function runOnce(): Promise<number> {
  const count: Counts = { passed: 0, failed: 0, skipped: 0 };
  const times: [file: string, ms: number][] = [];
  const jobs = selectFiles().map((file) => async () => {
    const { ms, results } = await runFile(file);
    times.push([file, ms]);
    for (const { outcome } of results) count[outcome] += 1;
  });
  if (patterns.length === 0 && values.update === undefined) {
    const checks = CHECKS.map((check) => async () => {
      if (!(await isClean(check))) count.failed += 1;
    });
    jobs.unshift(...checks);
  }
  const worker = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) await job();
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
  return summarise(count, times);
}

function selectFiles(): string[] {
  const files = values.update === undefined ? globSync('test/**/*.test.ts') : CASE_SUITES;
  return slowFirst(files.filter((file) => patterns.length === 0 || patterns.some((part) => file.includes(part))));
}

async function isClean([command, ...args]: string[]): Promise<boolean> {
  const { code, output } = await groups.run(command!, args, { timeoutMs });
  if (code !== 0) console.log(`✖ ${command} ${args.join(' ')}\n${output}`);
  return code === 0;
}

function summarise(count: Counts, times: [string, number][]): number {
  const ran = count.passed + count.failed + count.skipped > 0;
  if (times.length > 0) console.log(`\nSlowest of ${times.length} files:`);
  for (const [file, ms] of times.toSorted((a, b) => b[1] - a[1]).slice(0, SLOWEST)) {
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);
  }
  if (seed !== undefined) console.log(`\nSeed ${seed}. Repeat the same cases with --seed=${seed}.`);
  if (!ran) console.log(`\nNo test ran${patterns.length > 0 ? `: no file matches ${patterns.join(', ')}` : ''}.`);
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
  console.log(`\n${count.passed} passed, ${count.failed} failed${skipped}`);
  return ran && count.failed === 0 ? 0 : 1;
}
