// Measures the event-loop delay of the service's main thread, and how long the index thread works without a pause. Loaded by NODE_OPTIONS=--import, so the service needs no code
// for it. On SIGUSR2 it writes the delay since the previous signal to the file named by TRAWL_BENCH_PROBE. Threads get the names of their files.
import { renameSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { BroadcastChannel, isMainThread, workerData } from 'node:worker_threads';

const RESOLUTION_MS = 1;
/** How long the index thread may take to answer. It may not exist, or be busy. */
const ANSWER_MS = 1_000;
const isIndexThread = !isMainThread && String(workerData?.file).endsWith('index.db');

// Linux keeps fifteen characters of it.
if (!isMainThread) writeFileSync('/proc/thread-self/comm', basename(process.argv[1], '.ts').replace(/-thread$/, ''));

if (isMainThread && process.env.TRAWL_BENCH_PROBE) {
  const file = process.env.TRAWL_BENCH_PROBE;
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const blocks = measureBlocks();
  process.on('SIGUSR2', async () => {
    const indexBlock = await takeIndexBlock();
    // A sample is the time between two ticks of a timer. Subtracting the timer's period leaves the delay.
    const ms = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    const measured = {
      p50: ms(delay.percentile(50)),
      p99: ms(delay.percentile(99)),
      max: ms(delay.max),
      samples: delay.count,
      block: blocks.take(),
      indexBlock,
    };
    writeFileSync(`${file}.new`, JSON.stringify(measured));
    renameSync(`${file}.new`, file);
    delay.reset();
  });
} else if (isIndexThread && process.env.TRAWL_BENCH_PROBE) {
  const blocks = measureBlocks();
  const questions = new BroadcastChannel('trawl-bench-questions').unref();
  const answers = new BroadcastChannel('trawl-bench-answers').unref();
  questions.onmessage = () => answers.postMessage(blocks.take());
}

/** Undefined if there is no index thread. */
async function takeIndexBlock() {
  const questions = new BroadcastChannel('trawl-bench-questions');
  const answers = new BroadcastChannel('trawl-bench-answers');
  const answer = await new Promise((resolve) => {
    answers.onmessage = ({ data }) => resolve(data);
    setTimeout(resolve, ANSWER_MS);
    questions.postMessage('take');
  });
  questions.close();
  answers.close();
  return answer;
}

/**
 * The processor time of this thread between two ticks of a timer: what a caller waits for because of the service, and
 * not because the machine is busy with something else. A block of a second counts as a thousand samples.
 */
function measureBlocks() {
  let lengths = [];
  let last = process.threadCpuUsage();
  setInterval(() => {
    const used = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    lengths.push((used.user + used.system) / 1000);
  }, RESOLUTION_MS).unref();
  return {
    take() {
      const sorted = lengths.sort((a, b) => b - a);
      lengths = [];
      const weight = (length) => Math.max(length, RESOLUTION_MS);
      let rest = sorted.reduce((sum, length) => sum + weight(length), 0) * 0.01;
      const p99 = sorted.find((length) => {
        rest -= weight(length);
        return rest < 0;
      });
      return { p99: p99 ?? 0, max: sorted[0] ?? 0 };
    },
  };
}
