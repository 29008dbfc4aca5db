// Maps of a site whose sitemaps list 100,000 URLs, and of a shop without sitemaps: time, memory, recall.
import { type RunningProgram, startService } from '../test/support/service.ts';
import { probeSettings, takeLoopDelay } from './event-loop.ts';
import { cpuSeconds, peakResidentMb } from './measure.ts';
import { runPeer } from './peers.ts';
import { type BenchOptions, median, type Row } from './report.ts';
import { type BenchSite, startSite } from './site/site.ts';

const RUNS = 5;
const PEER = 'Crawlee';
const SHOP_ITEMS = 1_000;

export async function map({ count = 100_000, peers, only }: BenchOptions): Promise<Row[]> {
  const site = await startSite('map', count);
  try {
    const ours = only === 'crawlee' ? [] : await mapAll(site, count);
    return peers && only !== 'trawl' ? [...ours, ...mapByPeer(site, count, ours)] : ours;
  } finally {
    await site.stop();
  }
}

async function mapAll(site: BenchSite, count: number): Promise<Row[]> {
  const service = await startService({ ...site.settings, ...probeSettings }, { checkAnswers: false });
  try {
    const url = site.url('map.test', '/');
    const times: number[] = [];
    await timeMap(service, url, count);
    await takeLoopDelay(service.pid);
    const cpu = cpuSeconds(service.pid);
    for (let run = 0; run < RUNS; run++) times.push(await timeMap(service, url, count));
    const perRun = (cpuSeconds(service.pid) - cpu) / RUNS;
    const delay = await takeLoopDelay(service.pid);
    const peak = peakResidentMb(service.pid);
    return [
      { measure: `${count} addresses`, value: median(times), unit: 's' },
      { measure: `${count} addresses, CPU`, value: perRun, unit: 's' },
      { measure: 'event-loop delay p99', value: delay.p99, unit: 'ms', aim: '<= 20' },
      { measure: 'event-loop delay max', value: delay.max, unit: 'ms' },
      { measure: 'peak memory', value: peak, unit: 'MB' },
      ...(await mapShop(site, service)),
    ];
  } finally {
    await service.stop();
  }
}

/** Seconds until the whole answer has been read. */
async function timeMap(service: RunningProgram, url: string, count: number): Promise<number> {
  const began = performance.now();
  const links = await mapSite(service, { url, limit: count, ignoreCache: true });
  const seconds = (performance.now() - began) / 1000;
  if (links.length < count) throw new Error(`The map has ${links.length} of ${count} URLs.`);
  return seconds;
}

/** A thousand items on fifty numbered lists, found only by following links. */
async function mapShop(site: BenchSite, service: RunningProgram): Promise<Row[]> {
  const began = performance.now();
  const links = await mapSite(service, { url: site.url('shop.test', '/'), ignoreCache: true });
  const seconds = (performance.now() - began) / 1000;
  const items = new Set(links.filter(({ url }) => new URL(url).pathname.startsWith('/item/')).map(({ url }) => url));
  return [
    { measure: 'shop without sitemap', value: seconds, unit: 's' },
    { measure: 'shop without sitemap, recall', value: (100 * items.size) / SHOP_ITEMS, unit: '%', aim: '100' },
  ];
}

async function mapSite(service: RunningProgram, request: Record<string, unknown>): Promise<{ url: string }[]> {
  const { status, body } = await service.post<{ links: { url: string }[] }>('/v2/map', request);
  if (status !== 200) throw new Error(`The service answered ${status}: ${JSON.stringify(body)}`);
  return body.links;
}

function mapByPeer(site: BenchSite, count: number, ours: Row[]): Row[] {
  const { seconds, cpuSeconds: cpu, peakMb } = runPeer('crawlee-map.mjs', [site.url('127.0.0.1', ''), RUNS], count);
  const ownCpu = ours.find(({ measure }) => measure.endsWith('CPU'))?.value;
  return [
    { measure: `${PEER}: ${count} addresses`, value: seconds, unit: 's' },
    { measure: `${PEER}: ${count} addresses, CPU`, value: cpu, unit: 's' },
    { measure: `${PEER}: peak memory`, value: peakMb, unit: 'MB' },
    ...(ownCpu ? [{ measure: `${PEER} : Trawl, CPU`, value: cpu / ownCpu, unit: 'times' }] : []),
  ];
}
