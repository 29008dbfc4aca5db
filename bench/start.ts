// Start-up: time from the start of the process to the first successful readiness check, and idle memory.
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../test/support/service.ts';
import { residentMb } from './measure.ts';
import { type BenchOptions, median, type Row } from './report.ts';

const IDLE_MS = 3_000;
/** Features that are off in tests by default. */
const AS_INSTALLED = { TRAWL_INDEX_MANUAL: 'on', TRAWL_KEYLESS_PROVIDERS: 'on', TRAWL_BROWSER: 'auto' };

export async function start({ count = 5 }: BenchOptions): Promise<Row[]> {
  const times: number[] = [];
  const memory: number[] = [];
  for (let run = 0; run < count; run += 1) {
    const service = await startService(AS_INSTALLED, { checkAnswers: false });
    times.push(service.startMs);
    await sleep(IDLE_MS);
    memory.push(residentMb(service.pid));
    await service.stop();
  }
  return [
    { measure: `start to ready (median of ${count})`, value: median(times), unit: 'ms', aim: '< 1000' },
    { measure: 'slowest start', value: Math.max(...times), unit: 'ms' },
    { measure: 'idle memory after 3 s (median)', value: median(memory), unit: 'MB', aim: '<= 120' },
  ];
}
