// Static pages per second and per CPU-second: 1,000 pages of 5 to 100 KB from loopback to Markdown, without the cache.
import { startService } from '../test/support/service.ts';
import { probeSettings, takeLoopDelay } from './event-loop.ts';
import { cpuSeconds, load, peakResidentMb } from './measure.ts';
import { compareWithPeer, pageRows, runPeer } from './peers.ts';
import type { BenchOptions, Row } from './report.ts';
import { createScrapeClient } from './scrape-client.ts';
import { type BenchSite, startSite } from './site/site.ts';

const SITE_PAGES = 1000;
const WARM_UP = 200;

export async function scrape({ count = 1000, concurrency, peers }: BenchOptions): Promise<Row[]> {
  const site = await startSite('articles', SITE_PAGES);
  try {
    const ours = await scrapeAll(site, count, concurrency);
    if (!peers) return ours;
    const theirs = pageRows(runPeer('crawlee.mjs', [site.url('127.0.0.1', ''), count, concurrency], count));
    return compareWithPeer(ours, 'Crawlee + turndown', theirs);
  } finally {
    await site.stop();
  }
}

async function scrapeAll(site: BenchSite, count: number, concurrency: number): Promise<Row[]> {
  const service = await startService({ ...site.settings, ...probeSettings }, { checkAnswers: false });
  const client = createScrapeClient(service, concurrency);
  const ask = async (n: number) => {
    const url = site.url('load.test', `/article/${n % SITE_PAGES}`);
    await client.scrape({ url, formats: ['markdown'], maxAge: 0 });
  };
  try {
    await load(WARM_UP, concurrency, ask);
    await takeLoopDelay(service.pid);
    const [began, cpuBefore] = [performance.now(), cpuSeconds(service.pid)];
    await load(count, concurrency, ask);
    const seconds = (performance.now() - began) / 1000;
    const cpu = cpuSeconds(service.pid) - cpuBefore;
    const delay = await takeLoopDelay(service.pid);
    return [
      { measure: 'pages a second', value: count / seconds, unit: '1/s' },
      { measure: 'pages a CPU-second', value: count / cpu, unit: '1/s' },
      { measure: 'event-loop delay p99', value: delay.p99, unit: 'ms', aim: '<= 20' },
      { measure: 'event-loop delay max', value: delay.max, unit: 'ms' },
      { measure: 'peak memory', value: peakResidentMb(service.pid), unit: 'MB' },
    ];
  } finally {
    await client.close();
    await service.stop();
  }
}
