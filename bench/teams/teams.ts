// Two teams share a service: one without limits asks at a steady pace, alone and while the other one, which has limits, sends
// as much as it can and crawls. Both are measured in turn, so that whatever else the machine does meets both.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { startService } from '../../test/support/service.ts';
import { addTeams } from '../../test/support/team-with.ts';
import { probeSettings, takeLoopDelay } from '../event-loop.ts';
import { cpuSeconds, load } from '../measure.ts';
import { type BenchOptions, percentile, type Row } from '../report.ts';
import { type BenchSite, startSite } from '../site/site.ts';
import type { NoiseReport, NoiseSettings } from './noise-process.ts';

const PAGES = 1_000;
const CACHED_PAGES = 16;
const MAX_AGE_MS = 3_600_000;
const ROUND_MS = 5_000;
const WARM_UP = 300;
/** A small plan. */
const LIMITS = { rates: { scrape: 100, map: 100, search: 100, crawl: 20, crawlStatus: 5_000 }, maxConcurrency: 5 };

type Condition = 'alone' | 'beside the other team';

interface Kind {
  name: string;
  everyMs: number;
  ask(n: number): Promise<void>;
}

export async function teams({ count = 5, concurrency }: BenchOptions): Promise<Row[]> {
  const site = await startSite('crawl', PAGES);
  const service = await startService({ ...site.settings, ...probeSettings }, { checkAnswers: false });
  const [quiet, noisy] = await addTeams(service.dataDir, [
    { name: 'quiet', settings: { plan: 'unlimited' } },
    { name: 'noisy', settings: LIMITS },
  ]);
  const pool = new Pool(service.url, { connections: 64 });
  const noise = await startNoise({ url: service.url, key: noisy!, page: site.url('crawl.test', '/'), concurrency });
  try {
    const kinds = createKinds(pool, quiet!, site);
    await load(WARM_UP, 4, async (n) => {
      for (const { ask } of kinds) await ask(n);
    });
    const times = new Map<string, number[]>();
    const cpu = { alone: 0, 'beside the other team': 0 };
    const loop = { alone: [] as number[], 'beside the other team': [] as number[] };
    for (let round = 0; round < 2 * count; round += 1) {
      const condition: Condition = round % 2 === 0 ? 'alone' : 'beside the other team';
      if (condition !== 'alone') await noise.tell('start');
      await takeLoopDelay(service.pid);
      const before = cpuSeconds(service.pid);
      await Promise.all(kinds.map((kind) => askSteadily(kind, round, times, condition)));
      cpu[condition] += cpuSeconds(service.pid) - before;
      loop[condition].push((await takeLoopDelay(service.pid)).p99);
      if (condition !== 'alone') await noise.tell('stop');
    }
    const report = await noise.end();
    const seconds = (count * ROUND_MS) / 1_000;
    return [
      ...kinds.flatMap(({ name }) => rowsOf(name, times)),
      ...(['alone', 'beside the other team'] as const).flatMap((system) => [
        { measure: 'processor use of the service', value: cpu[system] / seconds, unit: 'cores', system },
        { measure: 'event-loop delay, p99', value: percentile(loop[system], 0.5), unit: 'ms', system },
      ]),
      ...[
        { measure: 'other team: served', value: report.served / seconds, unit: 'requests/s' },
        { measure: 'other team: refused (429)', value: report.refused / seconds, unit: 'requests/s' },
        { measure: 'other team: crawled', value: report.crawled / seconds, unit: 'pages/s' },
      ].map((row) => ({ ...row, system: 'beside the other team' })),
    ];
  } finally {
    noise.kill();
    await pool.close();
    await service.stop();
    await site.stop();
  }
}

function createKinds(pool: Pool, key: string, site: BenchSite): Kind[] {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const send = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const answer = await pool.request({ method, path, headers, body: body && JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path}: the service answered ${answer.statusCode}: ${text}`);
  };
  const scrape = (n: number, maxAge: number) =>
    send('POST', '/v2/scrape', { url: site.url('crawl.test', `/article/${n}`), formats: ['markdown'], maxAge });
  return [
    { name: 'status call', everyMs: 50, ask: () => send('GET', '/v2/concurrency-check') },
    { name: 'cached page', everyMs: 50, ask: (n) => scrape(n % CACHED_PAGES, MAX_AGE_MS) },
    { name: 'uncached page', everyMs: 200, ask: (n) => scrape(CACHED_PAGES + (n % 500), 0) },
  ];
}

/** Requests do not wait for each other: slow answers must not reduce the load. */
async function askSteadily(kind: Kind, round: number, times: Map<string, number[]>, condition: Condition) {
  const name = `${kind.name} ${condition}`;
  const some = times.get(name) ?? [];
  times.set(name, some);
  const pending: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; n * kind.everyMs < ROUND_MS; n += 1) {
    await sleep(Math.max(0, began + n * kind.everyMs - performance.now()));
    // Measured from when it should have been sent.
    const due = began + n * kind.everyMs;
    pending.push(kind.ask(round * 1_000 + n).then(() => void some.push(performance.now() - due)));
  }
  await Promise.all(pending);
}

function rowsOf(name: string, times: Map<string, number[]>): Row[] {
  const figure = (condition: Condition, share: number) => percentile(times.get(`${name} ${condition}`)!, share);
  return [0.5, 0.99].flatMap((share): Row[] => {
    const measure = `${name}, p${share * 100}`;
    const [alone, beside] = [figure('alone', share), figure('beside the other team', share)];
    return [
      { measure, value: alone, unit: 'ms', system: 'alone' },
      { measure, value: beside, unit: 'ms', system: 'beside the other team' },
      {
        measure: `${measure}, compared`,
        value: beside / alone,
        unit: 'times',
        system: 'beside the other team',
        ...(share > 0.9 && { aim: '<= 1.3' }),
      },
    ];
  });
}

async function startNoise(settings: NoiseSettings) {
  const child: ChildProcess = fork(join(import.meta.dirname, 'noise-process.ts'), [JSON.stringify(settings)]);
  const answer = async (message: 'start' | 'stop' | 'end'): Promise<unknown> => {
    const answered = once(child, 'message');
    child.send(message);
    return (await answered)[0];
  };
  await once(child, 'message');
  return {
    tell: (message: 'start' | 'stop') => answer(message),
    end: async () => (await answer('end')) as NoiseReport,
    kill: () => void child.kill(),
  };
}
