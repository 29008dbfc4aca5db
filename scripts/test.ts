// `npm test`: the linter, the type check, then every test file in a process of its own, two at a time.
// `npm test -- PATTERN ...` runs only the files whose path contains a pattern. Prints failures and a summary, nothing else.
import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const CONCURRENCY = 2;
const SLOWEST = 10;
const OUTPUT_LINES = 40;
const REPORTER = join(import.meta.dirname, 'test-reporter.mjs');

interface TestResult {
  outcome: 'passed' | 'failed' | 'skipped';
  name: string;
  line?: number;
  error?: string;
}

interface Run {
  code: number | null;
  output: string;
  ms: number;
  timedOut: boolean;
}

const { values, positionals: patterns } = parseArgs({
  allowPositionals: true,
  options: { timeout: { type: 'string', default: '120' } },
});
const timeoutMs = Number(values.timeout) * 1000;
const scratch = mkdtempSync(join(tmpdir(), 'trawl-test-'));
const running = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of running) killGroup(child);
  rmSync(scratch, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

process.exitCode = await main();

async function main(): Promise<number> {
  const files = globSync('test/**/*.test.ts')
    .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
    .sort();
  const count = { passed: 0, failed: 0, skipped: 0 };
  if (patterns.length === 0) count.failed += await runChecks();

  const times: [file: string, ms: number][] = [];
  const waiting = [...files];
  const worker = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const { ms, results } = await runFile(file);
      times.push([file, ms]);
      for (const { outcome } of results) count[outcome] += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));

  return summarise(count, times);
}

function summarise(count: Record<TestResult['outcome'], number>, times: [string, number][]): number {
  const ran = count.passed + count.failed + count.skipped > 0;
  if (times.length > 0) console.log(`\nSlowest of ${times.length} files:`);
  for (const [file, ms] of times.sort((a, b) => b[1] - a[1]).slice(0, SLOWEST)) {
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);
  }
  if (!ran) console.log(`\nNo test ran${patterns.length > 0 ? `: no file matches ${patterns.join(', ')}` : ''}.`);
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
  console.log(`\n${count.passed} passed, ${count.failed} failed${skipped}`);
  return ran && count.failed === 0 ? 0 : 1;
}

/** The checks that are no tests. Returns how many of them failed. */
async function runChecks(): Promise<number> {
  const checks = [
    ['biome', 'check', '.'],
    ['tsc', '--noEmit'],
  ];
  const failed = await Promise.all(
    checks.map(async ([command, ...args]) => {
      const { code, output } = await run(command!, args);
      if (code !== 0) console.log(`✖ ${command} ${args.join(' ')}\n${output}`);
      return code !== 0;
    }),
  );
  return failed.filter(Boolean).length;
}

async function runFile(file: string): Promise<{ ms: number; results: TestResult[] }> {
  const report = join(scratch, file.replaceAll('/', '-'));
  const { code, output, ms, timedOut } = await run(process.execPath, [
    `--test-reporter=${REPORTER}`,
    `--test-reporter-destination=${report}`,
    file,
  ]);
  const results = readReport(report);
  const failures = results.filter(({ outcome }) => outcome === 'failed');
  if (timedOut) {
    failures.push({ outcome: 'failed', name: `The file did not end within ${timeoutMs / 1000} s` });
  } else if (code !== 0 && failures.length === 0) {
    failures.push({ outcome: 'failed', name: `The file ended with code ${code}` });
  } else if (results.length === 0) {
    failures.push({ outcome: 'failed', name: 'The file has no test' });
  }
  for (const { name, line, error } of failures) {
    console.log(`✖ ${file}${line ? `:${line}` : ''}  ${name}${error ? `\n${error.replace(/^/gm, '    ')}` : ''}`);
  }
  if (failures.length > 0 && output !== '') console.log(`  Output of ${file}:\n${lastLines(output)}`);
  return { ms, results: [...results.filter(({ outcome }) => outcome !== 'failed'), ...failures] };
}

function readReport(path: string): TestResult[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    // Without the line break at its end, the last line was cut short.
    return lines.slice(0, -1).map((line) => JSON.parse(line) as TestResult);
  } catch {
    return [];
  }
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-OUTPUT_LINES).join('\n').replace(/^/gm, '    ');
}

/** Runs a command in a process group of its own, so that whatever it leaves behind can be ended with it. */
function run(command: string, args: string[]): Promise<Run> {
  const began = performance.now();
  const { NODE_TEST_CONTEXT: _, ...outer } = process.env;
  // Every file loads much the same modules: compile them once.
  const env = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/trawl'), ...outer };
  const child = spawn(command, args, { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child);
  }, timeoutMs);
  return new Promise((resolve) => {
    child.on('error', (error) => {
      output += error.message;
    });
    child.on('exit', () => killGroup(child));
    child.on('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code, output, ms: performance.now() - began, timedOut });
    });
  });
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of the group is left.
  }
}
