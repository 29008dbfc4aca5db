// Loaded into the service by NODE_OPTIONS=--import, so that the product knows nothing of it: measures the delay of the main
// thread's event loop. SIGUSR2 writes what was measured since the last one to the file TRAWL_BENCH_PROBE names.
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 1;

if (isMainThread && process.env.TRAWL_BENCH_PROBE) {
  const file = process.env.TRAWL_BENCH_PROBE;
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  process.on('SIGUSR2', () => {
    // A sample is the time between two ticks of a timer; what exceeds the timer's period is delay.
    const ms = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    const measured = {
      p50: ms(delay.percentile(50)),
      p99: ms(delay.percentile(99)),
      max: ms(delay.max),
      samples: delay.count,
    };
    writeFileSync(`${file}.new`, JSON.stringify(measured));
    renameSync(`${file}.new`, file);
    delay.reset();
  });
}
