// What several processes can do: crawls by 1, 2 and 3 Trawls on shared engines, beside the embedded store; rates of the queue;
// searches on both indexes; and how long the tasks of a dead worker wait for another one.
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '../../scripts/engines/postgres.ts';
import { type Cluster, startCluster } from '../../test/cluster/members.ts';
import { type RunningProgram, startService } from '../../test/support/service.ts';
import { cpuSeconds } from '../measure.ts';
import { type BenchOptions, percentile, type Row } from '../report.ts';
import { type BenchSite, HOSTS, startSite } from '../site/site.ts';
import { measureQueue } from './queue-rates.ts';

const PROCESSES = [1, 2, 3];
const PAGES = 1_200;
/** The first ones, for which everything is cold, do not count. */
const WARM_UP = 20;
const SEARCHES = 100;
/** Longer than a lease of 20 seconds. */
const WATCH_MS = 30_000;
/** More than can be crawled meanwhile. */
const ENDLESS_PAGES = 10_000;
const EMBEDDED = 'embedded';
const WORDS = ['harbour', 'ledger', 'winter', 'signal', 'garden', 'copper', 'market', 'engine'];

interface Crawled {
  seconds: number;
  cpu: number;
}

export async function cluster({ count = PAGES, only }: BenchOptions): Promise<Row[]> {
  const site = await startSite('hosts', Math.ceil(count / HOSTS));
  try {
    const parts: Record<string, () => Promise<Row[]>> = {
      queue: queueRows,
      embedded: () => embeddedRows(site, count),
      processes: () => clusterRows(site, count),
      takeover: takeOverRows,
    };
    const rows: Row[] = [];
    for (const [name, measure] of Object.entries(parts)) {
      if (only && only !== name) continue;
      say(name);
      rows.push(...(await measure()));
    }
    return rows;
  } finally {
    await site.stop();
  }
}

/** The whole bench takes minutes. */
const say = (what: string): void => console.log(`  measuring: ${what}`);

async function queueRows(): Promise<Row[]> {
  const postgres = await startPostgres({ durable: true });
  try {
    return await measureQueue(postgres.url);
  } finally {
    await postgres.stop();
  }
}

async function embeddedRows(site: BenchSite, count: number): Promise<Row[]> {
  const service = await startService(settingsOf(site), { checkAnswers: false });
  try {
    const crawled = await crawlAll(site, count, () => service, [service]);
    return [...crawlRows(EMBEDDED, count, crawled), ...(await searchRows(EMBEDDED, () => service))];
  } finally {
    await service.stop();
  }
}

async function clusterRows(site: BenchSite, count: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const trawls of PROCESSES) {
    const name = `${trawls} ${trawls === 1 ? 'process' : 'processes'}`;
    say(name);
    const started = await startCluster({ trawls, searchNodes: 1, settings: settingsOf(site) });
    try {
      for (const text of started.missing) console.log(`  left out: ${text}`);
      const crawled = await crawlAll(site, count, () => anyOf(started), started.trawls());
      rows.push(...crawlRows(name, count, crawled), ...(await searchRows(name, () => anyOf(started))));
    } finally {
      await started.stop();
    }
  }
  return rows;
}

/** Kills one of two workers while they crawl several hosts. The hosts that it owned pause until the other one takes them over. */
async function takeOverRows(): Promise<Row[]> {
  const site = await startSite('hosts', ENDLESS_PAGES);
  const started = await startCluster({ trawls: 2, searchNodes: 1, settings: settingsOf(site) });
  try {
    const alive = started.trawls()[1]!;
    const ids = await Promise.all(
      Array.from({ length: HOSTS }, (_, host) => startCrawl(alive, site, host, ENDLESS_PAGES)),
    );
    const progress = () => Promise.all(ids.map((id) => completedOf(alive, id)));
    await until(async () => (await progress()).every((completed) => completed > 20));
    await started.members.find(({ name }) => name === 'trawl-1')!.kill();
    const longest = await longestPause(progress, WATCH_MS);
    return [{ measure: 'longest pause of a host after the death of a worker', value: longest / 1000, unit: 's' }];
  } finally {
    await started.stop();
    await site.stop();
  }
}

/** Longest time in which one of the figures stood still, in milliseconds. One that has stopped for good counts up to the end. */
async function longestPause(progress: () => Promise<number[]>, ms: number): Promise<number> {
  const began = performance.now();
  const seen = (await progress()).map((completed) => ({ completed, at: began, longest: 0 }));
  while (performance.now() - began < ms) {
    const now = await progress();
    for (const [index, each] of seen.entries()) {
      each.longest = Math.max(each.longest, performance.now() - each.at);
      if (now[index] !== each.completed) Object.assign(each, { completed: now[index], at: performance.now() });
    }
    await wait(50);
  }
  return Math.max(...seen.map(({ longest }) => longest));
}

const settingsOf = (site: BenchSite): Record<string, string> => ({
  ...site.settings,
  TRAWL_ALLOW_NETWORKS: `${site.settings.TRAWL_ALLOW_NETWORKS},*.test`,
});

const anyOf = (started: Cluster): RunningProgram => started.any()!;

async function crawlAll(
  site: BenchSite,
  count: number,
  any: () => RunningProgram,
  all: readonly RunningProgram[],
): Promise<Crawled> {
  const cpu = () => all.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const began = { at: performance.now(), cpu: cpu() };
  const ids = await Promise.all(
    Array.from({ length: HOSTS }, (_, host) => startCrawl(any(), site, host, Math.ceil(count / HOSTS))),
  );
  for (const id of ids) await until(async () => (await stateOf(any(), id)).status === 'completed');
  return { seconds: (performance.now() - began.at) / 1000, cpu: cpu() - began.cpu };
}

async function startCrawl(service: RunningProgram, site: BenchSite, host: number, limit: number): Promise<string> {
  const body = { url: site.url(`c${host}.test`, '/'), limit, scrapeOptions: { maxAge: 0 } };
  const answer = await service.post<{ id: string; error?: string }>('/v2/crawl', body);
  if (answer.status !== 200) throw new Error(`A crawl was refused: ${answer.body.error}`);
  return answer.body.id;
}

const stateOf = async (service: RunningProgram, id: string): Promise<{ status: string; completed: number }> =>
  (await service.fetch(`/v2/crawl/${id}?limit=1`)).json() as Promise<{ status: string; completed: number }>;
const completedOf = async (service: RunningProgram, id: string) => (await stateOf(service, id)).completed;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(200);
}

const crawlRows = (system: string, count: number, { seconds, cpu }: Crawled): Row[] => [
  { measure: 'pages a second', value: count / seconds, unit: '1/s', system },
  { measure: 'pages a CPU-second of Trawl', value: count / cpu, unit: '1/s', system },
];

async function searchRows(system: string, any: () => RunningProgram): Promise<Row[]> {
  const times: number[] = [];
  for (let number = 0; number < WARM_UP + SEARCHES; number++) {
    const query = `${WORDS[number % WORDS.length]} ${WORDS[(number * 3 + 1) % WORDS.length]}`;
    const began = performance.now();
    const { status } = await any().post('/v2/search', { query, limit: 10 });
    if (status !== 200) throw new Error(`A search was answered with ${status}.`);
    if (number >= WARM_UP) times.push(performance.now() - began);
  }
  return [
    { measure: 'search p50', value: percentile(times, 0.5), unit: 'ms', system },
    { measure: 'search p99', value: percentile(times, 0.99), unit: 'ms', system },
  ];
}
