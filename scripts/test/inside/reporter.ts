// A node:test reporter that tells the command about each finished test, and about the end of each test file.
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

export interface TestResult {
  outcome: 'passed' | 'failed' | 'skipped';
  name: string;
  line?: number;
  error?: string;
}

export type WorkerMessage = { result: TestResult } | { ended: { ms: number; rssBytes: number } };

/** Failures that only say that something nested has failed. */
const REPEATED = new Set(['subtestsFailed', 'cancelledByParent']);
const DEPTH = 4;

// biome-ignore lint/correctness/useYield: the results are messages, not output.
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<never> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { error, type: kind, duration_ms: ms } = data.details as Details;
    const isRepeated = type === 'test:fail' && REPEATED.has(error?.failureType ?? '');
    const isSkipped = data.skip !== undefined;
    // A suite is not counted as a test, unless one of its hooks failed or it was skipped with all its tests.
    if (kind !== 'suite' || isSkipped || (type === 'test:fail' && !isRepeated)) {
      const isOmitted = isSkipped || data.todo !== undefined;
      const outcome = isOmitted ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
      const reason = error && !isRepeated ? inspect(error.cause ?? error, { depth: DEPTH }) : undefined;
      // The suite of a whole file stands in worker.ts.
      const line = data.nesting === 0 ? undefined : data.line;
      tell({ result: { outcome, name: data.name, line, error: reason } });
    }
    if (data.nesting === 0) tell({ ended: { ms, rssBytes: process.memoryUsage.rss() } });
  }
}

interface Details {
  duration_ms: number;
  type?: string;
  error?: Error & { failureType?: string };
}

const tell = (message: WorkerMessage) => void process.send?.(message);
