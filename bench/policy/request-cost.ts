// The same cheap call over HTTP by teams with and without limits, in turn: processor time of the service for each request.
import { Pool } from 'undici';
import { type RunningProgram, startService } from '../../test/support/service.ts';
import { addTeams } from '../../test/support/team-with.ts';
import { cpuSeconds, load } from '../measure.ts';
import { median, type Row } from '../report.ts';

const PATH = '/v2/concurrency-check';
const ROUNDS = 5;
const CONCURRENCY = 4;
/** Warm-up requests to each service. */
const WARM_UP = 5_000;
/** Never reached, but counted. */
const MANY = 10_000_000;

/** Many, because the refusals of one team are spaced out. */
const REFUSED_TEAMS = Array.from({ length: 50 }, (_, n) => `refused-${n}`);
const UNLIMITED = 'team without limits';

interface Target {
  name: string;
  service: RunningProgram;
  /** Used in turn. */
  keys: readonly string[];
  status: readonly number[];
}

/** `against` is the folder of another checkout, such as the version before. */
export async function measureRequests(count: number, against?: string): Promise<Row[]> {
  const service = await startService({}, { checkAnswers: false });
  const other = against ? await startService({}, { checkAnswers: false, root: against }) : undefined;
  try {
    const [free, limited, slow, ...refused] = await addTeams(service.dataDir, [
      { name: 'free', settings: { plan: 'unlimited' } },
      { name: 'limited', settings: { rates: { crawlStatus: MANY } } },
      { name: 'slow', settings: { plan: 'unlimited' }, limits: { requestsPerMinute: MANY } },
      ...REFUSED_TEAMS.map((name) => ({ name, settings: { rates: { crawlStatus: 1 } } })),
    ]);
    return await compare(count, [
      { name: UNLIMITED, service, keys: [free!], status: [200] },
      { name: 'team with limits', service, keys: [limited!], status: [200] },
      { name: 'key with limits', service, keys: [slow!], status: [200] },
      // One request a minute of each team is served.
      { name: 'refused', service, keys: refused, status: [429, 200] },
      ...(other ? [{ name: 'other version', service: other, keys: [other.key], status: [200] }] : []),
    ]);
  } finally {
    await service.stop();
    await other?.stop();
  }
}

async function compare(count: number, targets: readonly Target[]): Promise<Row[]> {
  const pools = new Map(targets.map(({ service }) => [service, new Pool(service.url, { connections: CONCURRENCY })]));
  const ask = async ({ service, keys }: Target, n: number): Promise<number> => {
    const headers = { authorization: `Bearer ${keys[n % keys.length]}` };
    const { statusCode, body } = await pools.get(service)!.request({ method: 'GET', path: PATH, headers });
    await body.dump();
    return statusCode;
  };
  const costs = new Map(targets.map((target) => [target, [] as number[]]));
  for (const group of Map.groupBy(targets, ({ service }) => service).values())
    await load(WARM_UP, CONCURRENCY, async (n) => void (await ask(group[n % group.length]!, n)));
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each round begins with another one: the first may run while the service still tidies up.
    for (const target of [...targets.slice(round), ...targets.slice(0, round)]) {
      const before = cpuSeconds(target.service.pid);
      await load(count, CONCURRENCY, async (n) => {
        const status = await ask(target, n);
        if (!target.status.includes(status)) throw new Error(`${target.name}: the service answered ${status}.`);
      });
      costs.get(target)!.push(((cpuSeconds(target.service.pid) - before) / count) * 1e6);
    }
  }
  for (const pool of pools.values()) await pool.close();
  const cost = (target: Target) => median(costs.get(target)!);
  const usual = cost(targets.find(({ name }) => name === UNLIMITED)!);
  return targets.flatMap((target): Row[] => [
    { measure: `request: ${target.name}`, value: cost(target), unit: 'CPU-µs' },
    ...(target.name === UNLIMITED
      ? []
      : [{ measure: `request: ${target.name}, compared`, value: cost(target) / usual, unit: 'times' }]),
  ]);
}
