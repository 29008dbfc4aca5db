// Crawls a site of several hosts through all Trawls of a demonstration, and shows which of them reads how much.
import { setTimeout as wait } from 'node:timers/promises';
import type { WatchedSite } from '../../test/cluster/watched-site.ts';
import type { Trawl } from './trawls.ts';

export interface CrawlOptions {
  trawls: readonly Trawl[];
  key: string;
  site: WatchedSite;
  hosts: readonly string[];
  pages: number;
  /** Kills one of the Trawls in the middle, and starts it again. */
  kills: boolean;
  say(line: string): void;
  /** Overwrites the last line, if this is a terminal. */
  progress(line: string): void;
  signal: AbortSignal;
}

interface Job {
  host: string;
  id: string;
}

interface State {
  status: string;
  total: number;
  completed: number;
}

const POLL_MS = 500;
const PATIENCE_MS = 60_000;

/** Sentences about what went wrong. */
export async function crawl(options: CrawlOptions): Promise<string[]> {
  const { hosts, pages, site, say, progress, signal, trawls } = options;
  const began = performance.now();
  const jobs = await Promise.all(
    hosts.map(async (host): Promise<Job> => {
      const body = { url: site.url(host), limit: pages, sitemap: 'skip' };
      const { id } = await ask<{ id: string }>(options, '/v2/crawl', body);
      return { host, id };
    }),
  );
  say(`${jobs.length} crawls of ${pages} pages each have been started.`);
  let isKilled = !options.kills;
  for (;;) {
    const states = await Promise.all(jobs.map(({ id }) => ask<State>(options, `/v2/crawl/${id}?limit=1`)));
    const done = states.reduce((sum, { completed }) => sum + completed, 0);
    const seconds = (performance.now() - began) / 1000;
    progress(`${seconds.toFixed(0).padStart(4)} s  ${String(done).padStart(5)} pages   ${await byTrawl(trawls)}`);
    if (states.every(({ status }) => status !== 'scraping')) {
      say(`All crawls have ended: ${done} pages in ${seconds.toFixed(1)} s.`);
      return [...problemsOf(jobs, states, pages), ...site.problems(), ...(await findProblems(options))];
    }
    if (!isKilled && done >= (jobs.length * pages) / 3) {
      isKilled = true;
      await killOne(options);
    }
    await wait(POLL_MS, undefined, { signal });
  }
}

const byTrawl = async (trawls: readonly Trawl[]): Promise<string> => {
  const counts = await Promise.all(trawls.map(({ pagesRead }) => pagesRead()));
  return trawls.map(({ name }, index) => `${name}: ${counts[index] ?? 'gone'}`).join('   ');
};

async function killOne({ trawls, say, signal }: CrawlOptions): Promise<void> {
  const victim = trawls.at(-1)!;
  await victim.service.kill();
  say(`${victim.name} was killed (SIGKILL). The others take its pages over when its leases end.`);
  await victim.service.start(signal);
  say(`${victim.name} is back.`);
}

const problemsOf = (jobs: readonly Job[], states: readonly State[], pages: number): string[] =>
  states.flatMap(({ status, completed }, index) =>
    status === 'completed' && completed === pages
      ? []
      : [`The crawl of ${jobs[index]!.host} is ${status} with ${completed} of ${pages} pages.`],
  );

/** What a completed crawl has read is found through every Trawl. */
async function findProblems({ trawls, key, site, hosts, pages, signal }: CrawlOptions): Promise<string[]> {
  const host = hosts[0]!;
  const query = site.wordOf(host, pages - 1);
  const found = await Promise.all(
    trawls.map(async ({ service, name }) => {
      const body = { query, limit: 3 };
      const answer = await send<{ data?: { web?: { url: string }[] } }>(service.url, key, '/v2/search', body, signal);
      const isThere = answer.data?.web?.some(({ url }) => url === site.url(host, pages - 1));
      return isThere ? [] : [`${name} does not find the page with the word ${query}.`];
    }),
  );
  return found.flat();
}

/** Any Trawl can answer for every job: each request goes to another one, and on to the next if that one does not answer. */
async function ask<T>({ trawls, key, signal }: CrawlOptions, path: string, body?: object): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (let turn = Math.floor(Math.random() * trawls.length); ; turn++) {
    try {
      return await send<T>(trawls[turn % trawls.length]!.service.url, key, path, body, signal);
    } catch (error) {
      if (signal.aborted || performance.now() > until) throw error;
    }
    await wait(POLL_MS, undefined, { signal });
  }
}

async function send<T>(
  base: string,
  key: string,
  path: string,
  body: object | undefined,
  signal: AbortSignal,
): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(base + path, {
    headers,
    signal,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const answered = (await answer.json()) as T & { error?: string };
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${answered.error}`);
  return answered;
}
