// Gives memory back when a thread rests. V8 keeps garbage, buffers and a grown heap for as long as nothing asks for more.
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 5_000;
/** A thread that was busy for less than this share of the time is at rest. */
const RESTING = 0.05;
/** So many looks in a row. A collection takes tenths of a second: nobody should be about to ask for something. */
const LOOKS_AT_REST = 6;

interface IdleDeps {
  collect?(): void;
  /** The share of the time since the last call in which this thread was busy. */
  utilization?(): number;
}

/** Collects once in each rest of half a minute. Returns a function that ends it. */
export function collectWhenIdle({
  collect = createCollector(),
  utilization = watchUtilization(),
}: IdleDeps = {}): () => void {
  let looksAtRest = 0;
  const timer = setInterval(() => {
    looksAtRest = utilization() < RESTING ? looksAtRest + 1 : 0;
    if (looksAtRest === LOOKS_AT_REST) collect();
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}

function watchUtilization(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

/** The most thorough kind, which also shrinks the heap. It takes a few tenths of a second. */
function createCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void = runInNewContext('gc');
  return () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
