// How fast the service answers from its cache: 16 pages of 100 KB, over HTTP with a key.
import { startService } from '../test/support/service.ts';
import { load } from './measure.ts';
import { type BenchOptions, percentile, type Row } from './report.ts';
import { createScrapeClient } from './scrape-client.ts';
import { startSite } from './site/site.ts';

const PAGES = 16;
const MAX_AGE_MS = 3_600_000;
const WARM_UP = 500;

export async function cached({ count = 4000 }: BenchOptions): Promise<Row[]> {
  const site = await startSite('articles', PAGES);
  const service = await startService(site.settings, { checkAnswers: false });
  const client = createScrapeClient(service, 8);
  const ask = async (n: number) => {
    const url = site.url('cached.test', `/article/${n % PAGES}`);
    return client.scrape({ url, formats: ['markdown'], maxAge: MAX_AGE_MS });
  };
  try {
    await load(PAGES, 4, async (n) => void (await ask(n)));
    await load(WARM_UP, 8, async (n) => {
      const { cacheState } = (await ask(n)).data.metadata;
      if (cacheState !== 'hit') throw new Error(`Expected a cache hit, got ${cacheState}.`);
    });
    const rows: Row[] = [];
    for (const concurrency of [1, 8]) {
      const began = performance.now();
      const times = await load(count, concurrency, async (n) => void (await ask(n)));
      const seconds = (performance.now() - began) / 1000;
      const label = `concurrency ${concurrency}`;
      rows.push(
        {
          measure: `p50, ${label}`,
          value: percentile(times, 0.5),
          unit: 'ms',
          ...(concurrency === 1 && { aim: '<= 5' }),
        },
        { measure: `p99, ${label}`, value: percentile(times, 0.99), unit: 'ms' },
        { measure: `rate, ${label}`, value: count / seconds, unit: 'requests/s' },
      );
    }
    return rows;
  } finally {
    await client.close();
    await service.stop();
    await site.stop();
  }
}
