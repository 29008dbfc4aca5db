// Scrapes thousands of different pages, prints the memory of the service as a curve, then lets it rest for a minute.
import { setTimeout as sleep } from 'node:timers/promises';
import { load, residentMb, unsharedMb } from '../../bench/measure.ts';
import { createScrapeClient } from '../../bench/scrape-client.ts';
import { startSite } from '../../bench/site/site.ts';
import { startService } from '../../test/support/service.ts';
import type { SoakOptions } from './soak-options.ts';

const PAGES = 6_000;
const SITE_PAGES = 1_000;
const AT_ONCE = 16;
const ROWS = 20;
const SAMPLE_MS = 250;
const REST_MS = 60_000;
const REST_STEP_MS = 10_000;
const MAX_WORKING_MB = 450;
const MAX_RESTING_MB = 200;
/** Between the second quarter and the last one: the index keeps some bytes of every page in memory. */
const MAX_GROWTH = 1.25;

export async function memory({ count = PAGES }: SoakOptions): Promise<string[]> {
  const site = await startSite('articles', SITE_PAGES);
  const service = await startService({ ...site.settings, TRAWL_BROWSER: 'auto' }, { checkAnswers: false });
  const client = createScrapeClient(service, AT_ONCE);
  const samples: number[] = [];
  const sampling = setInterval(() => samples.push(residentMb(service.pid)), SAMPLE_MS);
  const quarters: number[][] = [[], [], [], []];
  const began = performance.now();
  let done = 0;
  row('pages', 'seconds', 'RSS', 'private', 'highest');
  try {
    await load(count, AT_ONCE, async (n) => {
      const url = site.url('load.test', `/article/${n % SITE_PAGES}?copy=${Math.floor(n / SITE_PAGES)}`);
      await client.scrape({ url, formats: ['markdown', 'links'], maxAge: 0 });
      done += 1;
      if (done % Math.ceil(count / ROWS) !== 0) return;
      const rss = residentMb(service.pid);
      quarters[Math.min(3, Math.floor((4 * done) / count))]!.push(rss);
      row(done, (performance.now() - began) / 1_000, rss, unsharedMb(service.pid), Math.max(...samples, rss));
    });
    clearInterval(sampling);
    await client.close();
    const atRest = await rest(service.pid);
    return [
      ...over('While working', Math.max(...samples), MAX_WORKING_MB),
      ...over('After a minute of rest', atRest, MAX_RESTING_MB),
      ...growth(mean(quarters[1]!), mean(quarters[3]!)),
    ];
  } finally {
    clearInterval(sampling);
    await service.stop();
    await site.stop();
  }
}

async function rest(pid: number): Promise<number> {
  row('rest', 'seconds', 'RSS', 'private', '');
  for (let ms = 0; ms < REST_MS; ms += REST_STEP_MS) {
    await sleep(REST_STEP_MS);
    row('', (ms + REST_STEP_MS) / 1_000, residentMb(pid), unsharedMb(pid), '');
  }
  return residentMb(pid);
}

const over = (when: string, mb: number, limit: number): string[] =>
  mb > limit ? [`${when}, the service holds ${mb.toFixed(0)} MB; it should be at most ${limit}.`] : [];

const growth = (before: number, after: number): string[] =>
  after > before * MAX_GROWTH ? [`Memory grew from ${before.toFixed(0)} to ${after.toFixed(0)} MB.`] : [];

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function row(...cells: (number | string)[]): void {
  const texts = cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(0) : cell).padStart(9));
  console.log(texts.join(' '));
}
