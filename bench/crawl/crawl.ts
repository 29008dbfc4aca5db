// A crawl of 20,000 linked pages of 5 to 100 KB to Markdown: speed, memory over time, and status requests while it runs.
import { type RunningProgram, startService } from '../../test/support/service.ts';
import { probeSettings, takeLoopDelay } from '../event-loop.ts';
import { peakResidentMb } from '../measure.ts';
import { compareWithPeer, pageRows, runPeer } from '../peers.ts';
import { type BenchOptions, percentile, type Row } from '../report.ts';
import { type BenchSite, startSite } from '../site/site.ts';
import { type CrawlClient, createCrawlClient } from './crawl-client.ts';
import { type CrawlMeasurements, watchCrawl } from './watch-crawl.ts';

const HOST = 'crawl.test';
const WARM_UP = 200;
const MARKS = [1_000, 5_000, 20_000];
const PEER = 'Crawlee + turndown';
const PEER_PAGES = 3_000;
/** The peer may stop a few pages short of its limit, because it counts pages that are still in flight. */
const PEER_SHARE = 0.99;

export async function crawl(options: BenchOptions): Promise<Row[]> {
  const { count = 20_000, peerCount = PEER_PAGES, concurrency, peers, only } = options;
  const site = await startSite('crawl', count);
  try {
    const ours = only === 'crawlee' ? [] : await crawlAll(site, count, concurrency);
    if (!peers || only === 'trawl') return ours;
    console.log(`  ${PEER}: ${peerCount} pages`);
    const args = [site.url('127.0.0.1', ''), peerCount, concurrency];
    const theirs = pageRows(runPeer('crawlee-crawl.mjs', args, peerCount * PEER_SHARE));
    return ours.length === 0 ? theirs : compareWithPeer(ours, PEER, theirs, { 'pages a CPU-second': '>= 3' });
  } finally {
    await site.stop();
  }
}

async function crawlAll(site: BenchSite, count: number, concurrency: number): Promise<Row[]> {
  // Hosts on this list may be crawled with more requests at once than others.
  const TRAWL_ALLOW_NETWORKS = `${site.settings.TRAWL_ALLOW_NETWORKS},${HOST}`;
  const service = await startService(
    { ...site.settings, ...probeSettings, TRAWL_ALLOW_NETWORKS },
    { checkAnswers: false },
  );
  const client = createCrawlClient(service);
  const start = (limit: number) =>
    client.start({ url: site.url(HOST, '/'), limit, maxConcurrency: concurrency, scrapeOptions: { maxAge: 0 } });
  try {
    await watchCrawl(client, await start(WARM_UP), service.pid, []);
    return await measure(client, await start(count), service, count);
  } finally {
    await client.close();
    await service.stop();
  }
}

async function measure(client: CrawlClient, path: string, { pid }: RunningProgram, count: number): Promise<Row[]> {
  await takeLoopDelay(pid);
  const marks = MARKS.filter((mark) => mark <= count);
  const measured = await watchCrawl(client, path, pid, marks);
  const { quiet, statusTimes, memory, costs } = measured;
  const delay = await takeLoopDelay(pid);
  const { completed } = await client.state(path);
  if (completed !== count) throw new Error(`The crawl fetched ${completed} of ${count} pages.`);
  return [
    { measure: 'pages a second', value: quiet.pages / quiet.seconds, unit: '1/s' },
    { measure: 'pages a CPU-second', value: quiet.pages / quiet.cpu, unit: '1/s' },
    { measure: 'event-loop delay p99', value: delay.p99, unit: 'ms', aim: '<= 20' },
    { measure: 'event-loop delay max', value: delay.max, unit: 'ms' },
    ...(statusTimes.one.length > 0 ? statusRows(measured) : []),
    ...memory.map(({ from, to, mb }) => ({ measure: `memory, ${from} to ${to} pages`, value: mb, unit: 'MB' })),
    { measure: 'peak memory', value: peakResidentMb(pid), unit: 'MB' },
    ...costs.rows(quiet.pages),
  ];
}

const statusRows = ({ polled, statusTimes }: CrawlMeasurements): Row[] => [
  { measure: 'pages a second, with status requests', value: polled.pages / polled.seconds, unit: '1/s' },
  ...timeRows('status with 100 documents', statusTimes.page),
  ...timeRows('status with 1 document', statusTimes.one),
];

const timeRows = (what: string, times: number[]): Row[] => [
  { measure: `${what}, p50`, value: percentile(times, 0.5), unit: 'ms' },
  { measure: `${what}, p99`, value: percentile(times, 0.99), unit: 'ms', aim: '<= 50' },
];
