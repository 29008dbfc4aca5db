// Searches over HTTP, answered from the embedded index alone: generated pages, queries of all classes, 50 per second. Then
// the same during a crawl.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningProgram, startService } from '../../test/support/service.ts';
import { type Corpus, createCorpus } from '../corpus/corpus.ts';
import { createCrawlClient } from '../crawl/crawl-client.ts';
import { probeSettings, takeLoopDelay } from '../event-loop.ts';
import { type BenchQuery, createQueries, QUERY_CLASSES } from '../index/index-queries.ts';
import { cpuSeconds, peakResidentMb, residentMb } from '../measure.ts';
import { type BenchOptions, percentile, type Row } from '../report.ts';
import { type BenchSite, startSite } from '../site/site.ts';
import { writePages } from './fill-store.ts';
import { createSearchClient, type SearchClient } from './search-client.ts';

const PER_SECOND = 50;
const SECONDS = 30;
const WARM_UP_SECONDS = 5;
const CRAWLED = 20_000;
/** Two pages at a time leave CPU time for searches. */
const CRAWL_CONCURRENCY = 2;
const HOST = 'crawl.test';

export async function search({ count = 100_000 }: BenchOptions): Promise<Row[]> {
  const corpus = createCorpus(count);
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-bench-'));
  const site = await startSite('crawl', CRAWLED);
  try {
    console.log(`  writing ${count} pages`);
    await writePages(dataDir, corpus, count);
    const service = await startService(
      { ...site.settings, ...probeSettings, TRAWL_DATA_DIR: dataDir },
      { checkAnswers: false },
    );
    try {
      return await measure(service, site, corpus);
    } finally {
      await service.stop();
    }
  } finally {
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(service: RunningProgram, site: BenchSite, corpus: Corpus): Promise<Row[]> {
  const client = createSearchClient(service);
  const crawls = createCrawlClient(service);
  try {
    console.log('  waiting for the index');
    const seconds = await indexCaughtUp(client, corpus);
    const draw = drawQueries(corpus);
    await client.pace(draw(WARM_UP_SECONDS), PER_SECOND);
    const alone = await runLoad(client, service, draw(SECONDS));
    const url = site.url(HOST, '/');
    const crawl = await crawls.start({
      url,
      limit: CRAWLED,
      maxConcurrency: CRAWL_CONCURRENCY,
      scrapeOptions: { maxAge: 0 },
    });
    const crawling = await runLoad(client, service, draw(SECONDS));
    const { status, completed } = await crawls.state(crawl);
    if (status !== 'scraping') throw new Error(`The crawl is ${status}, so it did not run all the time.`);
    return [
      { measure: 'pages', value: corpus.size, unit: '' },
      { measure: 'pages indexed a second at the start', value: corpus.size / seconds, unit: '1/s' },
      ...loadRows(alone, '', ['<= 15', '<= 60']),
      { measure: 'CPU time a search', value: alone.cpuMs, unit: 'ms' },
      ...loadRows(crawling, ', while crawling', ['<= 15', '<= 80']),
      { measure: 'pages crawled meanwhile', value: completed, unit: '' },
      { measure: 'memory', value: residentMb(service.pid), unit: 'MB' },
      { measure: 'peak memory', value: peakResidentMb(service.pid), unit: 'MB' },
    ];
  } finally {
    await crawls.close();
    await client.close();
  }
}

/** Waits until a search finds the last page written. Returns the seconds since the service was ready. */
async function indexCaughtUp(client: SearchClient, corpus: Corpus): Promise<number> {
  const began = performance.now();
  const last = corpus.size - 1;
  const text = `${corpus.entry(last).title} site:${corpus.host(last)}`;
  const query: BenchQuery = { text, match: '', source: 'web', sortByDate: false };
  while (!(await client.search(query)).includes(corpus.url(last))) await sleep(500);
  return (performance.now() - began) / 1000;
}

/** Returns queries for the given number of seconds, alternating between classes. */
function drawQueries(corpus: Corpus): (seconds: number) => BenchQuery[] {
  const queries = createQueries(corpus, corpus.size, 1);
  return (seconds) =>
    Array.from({ length: seconds * PER_SECOND }, (_, n) => queries(QUERY_CLASSES[n % QUERY_CLASSES.length]!));
}

async function runLoad(client: SearchClient, { pid }: RunningProgram, queries: BenchQuery[]) {
  await takeLoopDelay(pid);
  const before = cpuSeconds(pid);
  const times = await client.pace(queries, PER_SECOND);
  const cpuMs = ((cpuSeconds(pid) - before) * 1000) / queries.length;
  return { ...times, cpuMs, delay: await takeLoopDelay(pid) };
}

function loadRows(
  { ms, found, delay }: Awaited<ReturnType<typeof runLoad>>,
  when: string,
  [p50Aim, p99Aim]: string[] = [],
): Row[] {
  return [
    { measure: `p50${when}`, value: percentile(ms, 0.5), unit: 'ms', ...(p50Aim && { aim: p50Aim }) },
    { measure: `p99${when}`, value: percentile(ms, 0.99), unit: 'ms', ...(p99Aim && { aim: p99Aim }) },
    { measure: `searches with results${when}`, value: (100 * found) / ms.length, unit: '%' },
    { measure: `event-loop delay p99${when}`, value: delay.p99, unit: 'ms', ...(!when && { aim: '<= 20' }) },
    { measure: `step of the index thread p99${when}`, value: delay.indexBlock?.p99 ?? 0, unit: 'CPU-ms' },
    { measure: `step of the index thread max${when}`, value: delay.indexBlock?.max ?? 0, unit: 'CPU-ms' },
  ];
}
