// Which walls let which program in: each wall is a local site that tells browsers from programs by one thing.
import { INSIDE, startWalls, type WallName } from '../../test/support/walls/walls.ts';
import type { BenchOptions, Row } from '../report.ts';
import { recordChrome } from './record-chrome.ts';
import { openVisitors, type Visitor } from './visitors.ts';

const WALLS: Readonly<Record<Exclude<WallName, 'closed'>, string>> = {
  tls: 'TLS handshake',
  http2: 'HTTP/2 settings',
  order: 'order of the headers',
  hints: 'client hints',
  cookie: 'cookie on the second visit',
  rate: 'three visits a second, of six at once',
  script: 'script',
};
const AT_ONCE = 6;

export async function walls({ only, peers }: BenchOptions): Promise<Row[]> {
  const site = await startWalls(await recordChrome());
  const visitors: Visitor[] = [];
  try {
    visitors.push(...(await openVisitors(site, peers)));
    const rows: Row[] = [];
    for (const { name, visit } of visitors) {
      if (only !== undefined && !name.toLowerCase().startsWith(only)) continue;
      for (const [wall, measure] of Object.entries(WALLS) as [keyof typeof WALLS, string][]) {
        site.forget();
        const visits = Array.from({ length: wall === 'rate' ? AT_ONCE : 1 }, () => visit(site.url(wall)));
        const pages = await Promise.all(visits.map((page) => page.catch(String)));
        const value = pages.filter((page) => page.includes(INSIDE)).length / pages.length;
        rows.push({ measure, value, unit: 'let in', system: name, aim: 'Trawl enhanced: 1' });
      }
    }
    return rows;
  } finally {
    for (const { stop } of visitors) await stop();
    await site.stop();
  }
}
