// The policy stage as the service puts it together, called in a loop: processor time of one call.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composePolicy } from '../../src/compose/policy/policy.ts';
import { readConfig } from '../../src/config/settings.ts';
import { ServiceError } from '../../src/contracts/errors/errors.ts';
import { METRICS } from '../../src/contracts/operator/metrics.ts';
import { scrapeRequest } from '../../src/contracts/scrape/scrape.ts';
import type { PolicyCaller } from '../../src/policy/policy-caller.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { systemClock } from '../../src/util/clock.ts';
import { median, type Row } from '../report.ts';

const ROUNDS = 7;
const CALLS = 20_000;
const BODY = scrapeRequest.parse({ url: 'https://example.com/', formats: [{ type: 'markdown' }] });
/** Never reached, but counted. */
const MANY = 10_000_000;

const CALLERS: readonly [name: string, caller: PolicyCaller][] = [
  ['team without limits', { team: { id: 'a', name: 'default' } }],
  ['team with limits', { team: { id: 'b', name: 'b', settings: { rates: { scrape: MANY } } } }],
  ['key with limits', { team: { id: 'c', name: 'default' }, keyId: 'k', limits: { requestsPerMinute: MANY } }],
  ['team with a budget', { team: { id: 'e', name: 'e', settings: { plan: 'unlimited', monthlyCredits: MANY } } }],
  ['refused', { team: { id: 'd', name: 'd', settings: { rates: { scrape: 1 } } } }],
];

export async function measureStage(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-policy-'));
  const store = await openSqliteStore({ dataDir, cacheMaxBytes: 1e9 });
  try {
    return await measureIn(store);
  } finally {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureIn(store: Store): Promise<Row[]> {
  const { stage } = composePolicy(readConfig({}), {
    ...{ store, processId: 'bench' },
    security: { record: () => {}, close: async () => {} },
    metrics: createMetrics(METRICS),
    // Refusals wait for their turn. That costs no processor time, and is not measured here.
    clock: { ...systemClock, sleep: async () => {} },
    log: createLog('silent'),
  });
  const stopping = new AbortController().signal;
  const pass = async (caller: PolicyCaller) => {
    try {
      await stage.admit('scrape', caller, stopping);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'RATE_LIMITED') return;
      throw error;
    }
    await stage.check('scrape', caller, BODY, []);
  };
  const times = new Map<string, number[]>(CALLERS.map(([name]) => [name, []]));
  // In turn, so that whatever else the machine does meets all of them. The first round is warm-up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, caller] of CALLERS) {
      const before = process.cpuUsage();
      for (let call = 0; call < CALLS; call += 1) await pass(caller);
      const { user, system } = process.cpuUsage(before);
      if (round > 0) times.get(name)!.push((user + system) / CALLS);
    }
  }
  return [...times].map(([name, some]) => ({
    measure: `stage alone: ${name}`,
    value: median(some),
    unit: 'CPU-µs',
    aim: '<= 300',
  }));
}
