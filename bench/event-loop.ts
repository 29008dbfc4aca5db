// Reads the event-loop delay of a service that was started with bench/probe.mjs.
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

export interface LoopDelay {
  p50: number;
  p99: number;
  max: number;
  samples: number;
  /** How long the main thread worked without a pause, in milliseconds of its processor time. */
  block: { p99: number; max: number };
  /** The same for the index thread, if there is one. */
  indexBlock?: { p99: number; max: number };
}

const PROBE = pathToFileURL(join(import.meta.dirname, 'probe.mjs'));
const file = join(tmpdir(), `trawl-bench-probe-${process.pid}.json`);

/** Settings that load the probe into a service. */
export const probeSettings: Record<string, string> = { NODE_OPTIONS: `--import=${PROBE}`, TRAWL_BENCH_PROBE: file };

/** The delay since the previous call, or since the start. */
export async function takeLoopDelay(pid: number): Promise<LoopDelay> {
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    await sleep(20);
    try {
      const measured = JSON.parse(readFileSync(file, 'utf8')) as LoopDelay;
      rmSync(file);
      return measured;
    } catch {
      // Not written yet.
    }
  }
}
