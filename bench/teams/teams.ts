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
import { cpuSeconds, load, waitedForCpuSeconds } from '../measure.ts';
import { type BenchOptions, median, percentile, type Row } from '../report.ts';
import { type BenchSite, startSite } from '../site/site.ts';
import type { NoiseReport, NoiseSettings } from './noise-process.ts';

const PAGES = 1_000;
const CACHED_PAGES = 16;
const MAX_AGE_MS = 3_600_000;
const ROUND_MS = 5_000;
const WARM_UP = 100;
const WARM_UP_MS = 3_000;
/** A small plan. */
const LIMITS = { rates: { scrape: 100, map: 100, search: 100, crawl: 20, crawlStatus: 5_000 }, maxConcurrency: 5 };

const ALONE = 'alone';
const BESIDE = 'beside the other team';
type Condition = typeof ALONE | typeof BESIDE;

/** What the service used in all rounds of one condition. */
interface Measured {
  seconds: number;
  cpu: number;
  waited: number;
  /** p99 of each round. */
  delays: number[];
  blocks: number[];
}

const nothing = (): Measured => ({ seconds: 0, cpu: 0, waited: 0, delays: [], blocks: [] });

interface Kind {
  name: string;
  everyMs: number;
  ask(n: number): Promise<void>;
}

export async function teams({ count = 5, concurrency }: BenchOptions): Promise<Row[]> {
  const site = await startSite('teams', PAGES);
  const service = await startService({ ...site.settings, ...probeSettings }, { checkAnswers: false });
  const [quiet, noisy] = await addTeams(service.dataDir, [
    { name: 'quiet', settings: { plan: 'unlimited' } },
    { name: 'noisy', settings: LIMITS },
  ]);
  const pool = new Pool(service.url, { connections: 64 });
  const noise = await startNoise({ url: service.url, key: noisy!, page: site.url('noisy.test', '/'), concurrency });
  try {
    const kinds = createKinds(pool, quiet!, site);
    await load(WARM_UP, 4, async (n) => {
      for (const { ask } of kinds) await ask(n);
    });
    // What starts with the first crawl is not measured.
    await noise.tell('start');
    await sleep(WARM_UP_MS);
    await noise.tell('stop');
    const times = new Map<string, number[]>();
    const measured: Record<Condition, Measured> = { [ALONE]: nothing(), [BESIDE]: nothing() };
    for (let round = 0; round < 2 * count; round += 1) {
      const condition = round % 2 === 0 ? ALONE : BESIDE;
      if (condition === BESIDE) await noise.tell('start');
      await takeLoopDelay(service.pid);
      const began = performance.now();
      const [cpu, waited] = [cpuSeconds(service.pid), waitedForCpuSeconds(service.pid)];
      await Promise.all(kinds.map((kind) => askSteadily(kind, round, times, condition)));
      const { p99, block } = await takeLoopDelay(service.pid);
      const into = measured[condition];
      into.seconds += (performance.now() - began) / 1_000;
      into.cpu += cpuSeconds(service.pid) - cpu;
      into.waited += waitedForCpuSeconds(service.pid) - waited;
      into.delays.push(p99);
      into.blocks.push(block.p99);
      if (condition === BESIDE) await noise.tell('stop');
    }
    const report = await noise.end();
    return [
      ...kinds.flatMap(({ name }) => rowsOf(name, times)),
      ...serviceRows(ALONE, measured[ALONE]),
      ...serviceRows(BESIDE, measured[BESIDE]),
      ...noiseRows(report, measured[BESIDE].seconds),
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
    send('POST', '/v2/scrape', { url: site.url('quiet.test', `/article/${n}`), formats: ['markdown'], maxAge });
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
    const [alone, beside] = [figure(ALONE, share), figure(BESIDE, share)];
    return [
      { measure, value: alone, unit: 'ms', system: ALONE },
      { measure, value: beside, unit: 'ms', system: BESIDE },
      {
        measure: `${measure}, compared`,
        value: beside / alone,
        unit: 'times',
        system: BESIDE,
        ...(share > 0.9 && { aim: '<= 1.3' }),
      },
    ];
  });
}

const serviceRows = (system: Condition, { seconds, cpu, waited, delays, blocks }: Measured): Row[] => [
  { measure: 'processor use of the service', value: cpu / seconds, unit: 'cores', system },
  { measure: 'main thread waiting for a processor', value: (100 * waited) / seconds, unit: '%', system },
  { measure: 'event-loop delay, p99', value: median(delays), unit: 'ms', system },
  { measure: 'block of the main thread, p99', value: median(blocks), unit: 'CPU-ms', system },
];

const noiseRows = ({ served, refused, crawled }: NoiseReport, seconds: number): Row[] =>
  [
    { measure: 'other team: served', value: served / seconds, unit: 'requests/s' },
    { measure: 'other team: refused (429)', value: refused / seconds, unit: 'requests/s' },
    { measure: 'other team: crawled', value: crawled / seconds, unit: 'pages/s' },
  ].map((row) => ({ ...row, system: BESIDE }));

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
