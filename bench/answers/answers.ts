// The largest answer of each format: how long the main thread, which serves everybody else, works for it without a pause.
import { startServiceWith } from '../../test/support/service.ts';
import { startWeb } from '../../test/support/web.ts';
import { probeSettings, takeLoopDelay } from '../event-loop.ts';
import type { BenchOptions, Row } from '../report.ts';
import { CASES } from './cases.ts';
import { HOST, largePages } from './large-pages.ts';

const AIM = '<= 40';
const TIMEOUT_MS = 300_000;

/**
 * Each case is measured `count` times. The first time has what is loaded on first use; of the others the least counts, since
 * a machine that is shared takes processor time away.
 */
export async function answers({ count = 4, only, folder }: BenchOptions): Promise<Row[]> {
  const web = await startWeb({ [HOST]: largePages() });
  const settings = { ...probeSettings, TRAWL_BROWSER: 'auto' };
  const service = await startServiceWith(web, settings, { checkAnswers: false, ...(folder && { root: folder }) });
  const rows: Row[] = [];
  try {
    for (const { name, before, run } of CASES.filter((one) => only === undefined || one.name === only)) {
      const call = { service, timeout: TIMEOUT_MS, url: (path: string) => web.url(HOST, path) };
      const blocks: number[] = [];
      let bytes = 0;
      for (let time = 0; time < count; time += 1) {
        await before?.(call);
        await takeLoopDelay(service.pid);
        bytes = await run(call);
        blocks.push((await takeLoopDelay(service.pid)).block.max);
      }
      const [first = 0, ...later] = blocks;
      const least = Math.min(...later);
      console.log(`${name}: ${(bytes / 1e6).toFixed(1)} MB, ${blocks.map((block) => block.toFixed(0)).join(', ')} ms`);
      const row = { measure: name, unit: 'ms CPU', aim: AIM };
      rows.push(
        { ...row, value: bytes / 1e6, system: 'MB' },
        { ...row, value: first, system: 'first' },
        { ...row, value: least, system: 'later' },
      );
    }
    return rows;
  } finally {
    await service.stop();
    await web.stop();
  }
}
