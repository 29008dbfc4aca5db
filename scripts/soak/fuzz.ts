// Sends random requests, valid and wrong, to every route: no unexpected error, no answer outside the contract, no hang.
import { runFuzz } from '../../test/support/fuzz/fuzz-run.ts';
import { startFuzzScene } from '../../test/support/fuzz/fuzz-scene.ts';
import type { SoakOptions } from './kill.ts';

const REQUESTS = 20_000;
const PARALLEL = 16;
const HANG_MS = 120_000;
const MAX_RSS_MB = 1_000;

export async function fuzz({ count = REQUESTS, seed }: SoakOptions): Promise<string[]> {
  const scene = await startFuzzScene();
  try {
    const options = { requests: count, seed, parallel: PARALLEL, hangMs: HANG_MS };
    const { answers, problems, maxRssMb } = await runFuzz(scene.service, scene.web, options);
    for (const [route, counts] of [...answers].sort()) {
      const total = [...counts.values()].reduce((sum, times) => sum + times, 0);
      const list = [...counts].sort(([, a], [, b]) => b - a).map(([label, times]) => `${label.trim()} × ${times}`);
      console.log(`${route.padEnd(24)} ${String(total).padStart(6)}  ${list.join(', ')}`);
    }
    console.log(`Highest memory: ${maxRssMb} MB`);
    const loud = scene.service
      .output()
      .stderr.split('\n')
      .filter((line) => /"level":(?:50|60)/.test(line));
    for (const line of loud.slice(0, 20)) console.log(line.slice(0, 1_500));
    return [
      ...problems,
      ...(maxRssMb > MAX_RSS_MB ? [`The service took ${maxRssMb} MB of memory.`] : []),
      ...(loud.length > 0 ? [`The log has ${loud.length} errors.`] : []),
    ];
  } finally {
    await scene.stop();
  }
}
