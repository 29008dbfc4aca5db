// Kills processes of a whole cluster, one after the other, while it crawls, scrapes batches and checks monitors. At the end, no
// page may be lost or there twice, and everything that was promised must hold. Run by `npm run test:cluster`.
import { setTimeout as wait } from 'node:timers/promises';
import { createDice } from '../support/web/words.ts';
import { createClient, type Progress } from './client.ts';
import { startHookReceiver } from './hook-receiver.ts';
import { type Cluster, startCluster } from './members.ts';
import { blobProblems } from './stored-blobs.ts';
import { type HostRules, startWatchedSite, type WatchedSite } from './watched-site.ts';

export interface ChaosOptions {
  kills: number;
  /** Pages of all crawls together. */
  pages: number;
  searchNodes: number;
  seed: number;
  say(line: string): void;
}

interface Job {
  id: string;
  kind: 'crawl' | 'batch';
  /** The pages that it must have at the end, each once. */
  urls: string[];
  /** One of them, by a word that only it has. */
  sample: { word: string; url: string };
}

const TRAWLS = 3;
const HOSTS = 10;
/** Small hosts with rules of their own, crawled at the same time. */
const SLOW_PAGES = 40;
const BATCH_PAGES = 120;
const MONITORS = 3;
/** The share of jobs that run before the first kill. */
const STARTED_AT_FIRST = 0.25;
const CALM_MS = 1_500;
const DOWN_MS = 1_500;
const END_MS = 20 * 60_000;
const LOOK_EACH_MS = 500;
const SAY_EACH_MS = 15_000;
const SHOWN = 3;

export async function chaos({ kills, pages, searchNodes, seed, say }: ChaosOptions): Promise<string[]> {
  const hosts = hostRules(Math.ceil(pages / HOSTS));
  const site = await startWatchedSite(hosts);
  const hooks = await startHookReceiver();
  const cluster = await startCluster({ trawls: TRAWLS, searchNodes, settings: site.settings });
  for (const text of cluster.missing) say(`Left out: ${text}`);
  const problems: string[] = [];
  try {
    const client = createClient(cluster);
    const jobs: Job[] = [];
    hooks.onEnd(async (id) => {
      const job = jobs.find((each) => each.id === id);
      if (job && !(await client.finds(job.sample)))
        problems.push(`${id} was completed before its pages could be found.`);
    });
    await client.startMonitors(MONITORS, site.url('h0.test', 1));
    const waiting = jobsOf(client, site, hosts, hooks.url);
    const startSome = async (share: number) => {
      const count = Math.ceil(waiting.length * share) - jobs.length;
      for (const start of waiting.slice(jobs.length, jobs.length + Math.max(0, count))) jobs.push(await start());
    };
    const describe = () => `${jobs.length} jobs were started, ${site.answered()} pages answered`;
    await startSome(kills === 0 ? 1 : STARTED_AT_FIRST);
    await killOneByOne(cluster, { kills, seed, startSome, say: (line) => say(`${line} (${describe()})`) });
    await waitFor('jobs', async () => (await client.progress(jobs)).filter(isOpen).map(inWords), say);
    await waitFor('webhooks', () => client.waitingDeliveries(), say);
    for (const job of jobs) problems.push(...(await client.problemsOf(job)));
    problems.push(...hooks.problems(new Map(jobs.map(({ id, urls }) => [id, urls.length]))));
    problems.push(...site.problems(), ...(await client.monitorProblems()));
    for (const { sample } of jobs) if (!(await client.finds(sample))) problems.push(`${sample.url} cannot be found.`);
    say(`Requests at once, at most: ${JSON.stringify(site.mostAtOnce())}`);
    say(`Pages that were fetched more than once: ${countRepeated(site, hosts)}`);
    problems.push(...(await blobProblems(cluster.settings)));
  } finally {
    await cluster.stop();
    await hooks.stop();
    await site.stop();
  }
  return [...new Set(problems)];
}

function hostRules(pages: number): Record<string, HostRules> {
  const plain = Array.from({ length: HOSTS }, (_, index) => [`h${index}.test`, { pages }] as const);
  return {
    ...Object.fromEntries(plain),
    'slow.test': { pages: SLOW_PAGES, crawlDelay: 1 },
    'strict.test': { pages: SLOW_PAGES, refuseEach: 15 },
  };
}

/** How to start each job. The slow ones come first; the others follow while processes die. */
function jobsOf(
  client: ReturnType<typeof createClient>,
  site: WatchedSite,
  hosts: Record<string, HostRules>,
  hook: string,
): (() => Promise<Job>)[] {
  const sampleOf = (host: string, page: number) => ({ word: site.wordOf(host, page), url: site.url(host, page) });
  const urlsOf = (host: string, count: number, from = 0) =>
    Array.from({ length: count }, (_, page) => site.url(host, from + page));
  const crawls = Object.entries(hosts).map(([host, { pages }]) => async (): Promise<Job> => {
    const body = { url: site.url(host), limit: pages + 10, sitemap: 'skip', webhook: hook };
    const id = await client.start('/v2/crawl', body);
    return { id, kind: 'crawl', urls: urlsOf(host, pages), sample: sampleOf(host, pages - 1) };
  });
  const batches = ['h1.test', 'h2.test'].map((host) => async (): Promise<Job> => {
    const count = Math.min(BATCH_PAGES, hosts[host]!.pages - 1);
    const urls = urlsOf(host, count, 1);
    const id = await client.start('/v2/batch/scrape', { urls, webhook: hook, maxAge: 0 });
    return { id, kind: 'batch', urls, sample: sampleOf(host, count) };
  });
  return [...crawls.toReversed(), ...batches];
}

async function killOneByOne(
  { members }: Cluster,
  {
    kills,
    seed,
    startSome,
    say,
  }: Pick<ChaosOptions, 'kills' | 'seed' | 'say'> & { startSome(share: number): Promise<void> },
): Promise<void> {
  const dice = createDice(seed);
  for (let number = 1; number <= kills; number++) {
    await wait(CALM_MS + dice.roll(CALM_MS));
    const victim = dice.pick(members);
    say(`kill ${number} of ${kills}: ${victim.name}`);
    await victim.kill();
    await wait(dice.roll(DOWN_MS));
    await victim.restart();
    await startSome(number / kills);
  }
}

/** Waits until nothing is left, and says now and then what is. */
async function waitFor(what: string, left: () => Promise<string[]>, say: (line: string) => void): Promise<void> {
  const [end, seen] = [performance.now() + END_MS, { text: '', at: performance.now() }];
  for (;;) {
    const open = await left();
    if (open.length === 0) return;
    const text = `waiting for ${open.length} ${what}: ${open.slice(0, SHOWN).join('; ')}`;
    if (performance.now() > end) throw new Error(`It took too long, still ${text}`);
    if (text !== seen.text && performance.now() > seen.at + SAY_EACH_MS) {
      Object.assign(seen, { text, at: performance.now() });
      say(text);
    }
    await wait(LOOK_EACH_MS);
  }
}

const isOpen = ({ status }: Progress) => status === 'scraping';
const inWords = ({ id, completed, total }: Progress) => `${id} has ${completed} of ${total} pages`;

const countRepeated = (site: WatchedSite, hosts: Record<string, HostRules>): number =>
  Object.entries(hosts)
    .flatMap(([host, { pages }]) => Array.from({ length: pages }, (_, page) => site.visits(host, page)))
    .filter((visits) => visits > 1).length;
