// Gives memory back when a thread is idle. V8 keeps garbage, buffers and a grown heap for as long as nothing asks for more.
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A thread that was busy for less than this share of the time is at rest. */
const RESTING = 0.05;
/** How often a thread is looked at, and how many looks in a row have to find it at rest. */
const WATCH = {
  /** Loading the program leaves much garbage, and nobody has asked for anything yet. */
  starting: { lookMs: 250, looks: 6 },
  /** A collection may take tenths of a second: nobody should be about to ask for something. */
  working: { lookMs: 5_000, looks: 4 },
};

interface IdleDeps {
  /** Called before each collection: gives up what is only kept for speed. */
  onRest?(): void;
  collect?(): void;
  /** The share of the time since the last call in which this thread was busy. */
  utilization?(): number;
}

/** Collects once soon after the start, then once in each rest of 20 seconds. Returns a function that ends it. */
export function collectWhenIdle({
  onRest,
  collect = lastResort,
  utilization = watchUtilization(),
}: IdleDeps = {}): () => void {
  let timer: NodeJS.Timeout;
  const giveBack = () => {
    onRest?.();
    collect();
  };
  const watch = ({ lookMs, looks }: typeof WATCH.working, whenAtRest: () => void) => {
    let looksAtRest = 0;
    timer = setInterval(() => {
      looksAtRest = utilization() < RESTING ? looksAtRest + 1 : 0;
      if (looksAtRest === looks) whenAtRest();
    }, lookMs).unref();
  };
  watch(WATCH.starting, () => {
    clearInterval(timer);
    giveBack();
    watch(WATCH.working, giveBack);
  });
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

/** The most thorough kind, which also shrinks the heap and gives its memory back. */
function lastResort(): void {
  setFlagsFromString('--expose-gc');
  const gc: (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void = runInNewContext('gc');
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
