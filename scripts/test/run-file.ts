// Runs test files, in processes that they share or in one of their own, and prints their failures.
import type { TestResult } from './inside/reporter.ts';
import { CLEAR_LINE } from './progress.ts';
import { type FileReport, startWorker, type Worker, type WorkerDeps } from './worker.ts';

const OUTPUT_LINES = 40;

export interface FileRunner {
  /** A lane runs one file at a time; the files of a lane that may share a process do. */
  run(file: string, lane: number): Promise<FileReport>;
  /** Ends the shared processes. Returns the failures that come to light by it. */
  end(): Promise<TestResult[]>;
}

export function createFileRunner(deps: WorkerDeps, needsOwnProcess: (file: string) => boolean): FileRunner {
  const shared = new Map<number, { worker: Worker; files: string[] }>();
  const late: TestResult[] = [];

  async function endShared(lane: number): Promise<void> {
    const { worker, files } = shared.get(lane)!;
    shared.delete(lane);
    const problem = await worker.end();
    if (problem === undefined) return;
    const failure = {
      outcome: 'failed',
      name: `${problem}: one of ${files.length} files left something open`,
    } as const;
    printFailures(files.join(' '), [failure], worker.output());
    late.push(failure);
  }

  async function workerOf(lane: number): Promise<Worker> {
    if (shared.get(lane)?.worker.isUsable() === false) await endShared(lane);
    if (!shared.has(lane)) shared.set(lane, { worker: startWorker(deps), files: [] });
    return shared.get(lane)!.worker;
  }

  async function runAlone(file: string): Promise<FileReport> {
    const worker = startWorker(deps);
    const report = checked(await worker.run(file));
    const problem = await worker.end();
    if (problem && failuresOf(report).length === 0) report.results.push({ outcome: 'failed', name: problem });
    printFailures(file, failuresOf(report), worker.output());
    return report;
  }

  async function runShared(file: string, lane: number): Promise<FileReport> {
    const worker = await workerOf(lane);
    const before = shared.get(lane)!.files.slice();
    shared.get(lane)!.files.push(file);
    const report = checked(await worker.run(file));
    const failures = failuresOf(report);
    // Those without an error only follow from another one.
    const failure = failures.find(({ error }) => error !== undefined) ?? failures[0];
    if (!failure) return report;
    // A worker that has ended with the file is not asked again what was wrong.
    if (report.problem) shared.delete(lane);
    const alone = await runAlone(file);
    if (failuresOf(alone).length > 0) return alone;
    // Passing alone does not make it right: it depends on what ran before, or on speed.
    const name = `${failure.name} (passes alone; failed in one process after ${before.join(', ') || 'no other file'})`;
    printFailures(file, [{ ...failure, name }], '');
    return { ...alone, results: [...alone.results, { ...failure, name }] };
  }

  return {
    run: (file, lane) => (needsOwnProcess(file) ? runAlone(file) : runShared(file, lane)),
    async end() {
      await Promise.all([...shared.keys()].map(endShared));
      return late;
    },
  };
}

/** A file that did not get to its end, or has no test, has failed. */
function checked(report: FileReport): FileReport {
  const isQuiet = failuresOf(report).length === 0;
  const name = report.problem ?? (report.results.length === 0 ? 'The file has no test' : undefined);
  if (name && (isQuiet || report.problem)) report.results.push({ outcome: 'failed', name });
  return report;
}

const failuresOf = ({ results }: FileReport): TestResult[] => results.filter(({ outcome }) => outcome === 'failed');

function printFailures(file: string, failures: readonly TestResult[], output: string): void {
  for (const { name, line, error } of failures) {
    if (process.stdout.isTTY) process.stdout.write(CLEAR_LINE);
    console.log(`✖ ${file}${line ? `:${line}` : ''}  ${name}${error ? `\n${indent(error)}` : ''}`);
  }
  if (failures.length > 0 && output !== '') console.log(`  Output of ${file}:\n${indent(lastLines(output))}`);
}

const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-OUTPUT_LINES).join('\n');
const indent = (text: string): string => text.replace(/^/gm, '    ');
