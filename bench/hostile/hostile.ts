// Attacks on the event loop, one after the other: how long other callers wait while each of them runs.
import { startService } from '../../test/support/service.ts';
import { probeSettings, takeLoopDelay } from '../event-loop.ts';
import type { BenchOptions, Row } from '../report.ts';
import { startSite } from '../site/site.ts';
import { ATTACKS } from './attacks.ts';
import { probeLiveness } from './liveness.ts';

const LINKS = 10_000;
const RUNS = 3;

export async function hostile({ count = RUNS, only, folder }: BenchOptions): Promise<Row[]> {
  const site = await startSite('hostile', LINKS);
  const settings = { ...site.settings, ...probeSettings, TRAWL_MAX_JOBS: '1000' };
  const service = await startService(settings, { checkAnswers: false, ...(folder && { root: folder }) });
  const liveness = probeLiveness(service.url);
  const rows: Row[] = [];
  try {
    for (const { name, run } of ATTACKS.filter((attack) => only === undefined || attack.name.includes(only))) {
      await liveness.take();
      await takeLoopDelay(service.pid);
      const began = performance.now();
      let failure = '';
      for (let round = 0; round < count && failure === ''; round += 1) {
        await run(service, site).catch((error: unknown) => {
          failure = `: ${String(error).slice(0, 200)}`;
        });
      }
      const seconds = (performance.now() - began) / 1000 / count;
      const { p50, p99, max } = await liveness.take();
      const { block } = await takeLoopDelay(service.pid);
      console.log(
        `${name}: ${seconds.toFixed(1)} s, liveness p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)}, max ${max.toFixed(0)} ms, blocks p99 ${block.p99.toFixed(0)}, max ${block.max.toFixed(0)} ms${failure}`,
      );
      rows.push(
        { measure: `${name}: liveness p50`, value: p50, unit: 'ms' },
        { measure: `${name}: liveness p99`, value: p99, unit: 'ms', aim: '<= 50' },
        { measure: `${name}: liveness max`, value: max, unit: 'ms' },
        { measure: `${name}: blocks p99, CPU`, value: block.p99, unit: 'ms', aim: '<= 50' },
        { measure: `${name}: blocks max, CPU`, value: block.max, unit: 'ms' },
      );
    }
    return rows;
  } finally {
    await liveness.stop();
    await service.stop();
    await site.stop();
  }
}
