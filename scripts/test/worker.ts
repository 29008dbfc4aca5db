// A process that runs test files one after the other, seen from outside. See inside/worker.ts.
import { join, resolve } from 'node:path';
import { cpuOf } from './cpu-time.ts';
import type { TestResult, WorkerMessage } from './inside/reporter.ts';
import type { RunMessage } from './inside/worker.ts';
import type { Part } from './parts.ts';
import type { ProcessGroups } from './process-group.ts';

const MAIN = join(import.meta.dirname, 'inside/worker.ts');
const REPORTER = join(import.meta.dirname, 'inside/reporter.ts');

export interface FileReport {
  results: TestResult[];
  ms: number;
  cpuMs: number;
  /** Why the process did not get to the end of the file. */
  problem?: string;
}

export interface Worker {
  /** False once it has ended, or has become too large to go on. */
  isUsable(): boolean;
  run(file: string): Promise<FileReport>;
  /** Lets it end by itself. Returns what is wrong if it does not, or ends with an error that no test reported. */
  end(): Promise<string | undefined>;
  output(): string;
}

export interface WorkerDeps {
  groups: ProcessGroups;
  timeoutMs: number;
  env: Record<string, string>;
  /** What of a file is to run. */
  partOf(file: string): Part;
}

/** Modules and garbage of many files add up. */
const MAX_RSS_BYTES = 1_500_000_000;
const STARTED_TESTS_FAILED = 1;

export function startWorker({ groups, timeoutMs, env, partOf }: WorkerDeps): Worker {
  const args = [`--test-reporter=${REPORTER}`, '--test-reporter-destination=stdout', MAIN];
  const { child, output, ended, kill } = groups.start(process.execPath, args, { env, messages: true });
  let isUsable = true;
  let hasFailed = false;
  let timedOut = false;
  let onMessage: (message: WorkerMessage) => void = () => {};
  child.on('message', (message: WorkerMessage) => onMessage(message));
  void ended.then(() => {
    isUsable = false;
  });
  /** Kills the process if `work` takes too long. */
  const limited = async <T>(work: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, timeoutMs);
    return work.finally(() => clearTimeout(timer));
  };
  const endedBadly = ({ code }: { code: number | null }) =>
    timedOut ? `The file did not end within ${timeoutMs / 1000} s` : `The file ended with code ${code}`;

  return {
    isUsable: () => isUsable,
    async run(file) {
      const began = performance.now();
      const cpuBefore = cpuOf(child.pid!);
      const results: TestResult[] = [];
      const fileEnd = new Promise<undefined>((resolve) => {
        onMessage = (message) => {
          if ('result' in message) {
            results.push(message.result);
            hasFailed ||= message.result.outcome === 'failed';
          } else {
            isUsable &&= message.ended.rssBytes < MAX_RSS_BYTES;
            resolve(undefined);
          }
        };
      });
      child.send({ file: resolve(file), part: partOf(file) } satisfies RunMessage, () => {});
      const problem = await limited(Promise.race([fileEnd, ended.then(endedBadly)]));
      const cpuMs = Math.max(0, cpuOf(child.pid!) - cpuBefore);
      return { results, ms: performance.now() - began, cpuMs, problem };
    },
    async end() {
      // Not `disconnect` from this side: then the end of the process is never told.
      if (child.connected) child.send('end', () => {});
      const { code } = await limited(ended);
      const isExpected = code === 0 || (hasFailed && code === STARTED_TESTS_FAILED);
      return isExpected ? undefined : endedBadly({ code });
    },
    output,
  };
}
