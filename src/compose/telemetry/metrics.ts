// Measures the parts from outside: each port is wrapped, so the parts themselves know nothing of metrics.
import type { Role } from '../../config/storage/engines.ts';
import type { METRICS, ServiceMetrics } from '../../contracts/operator/metrics.ts';
import type { Politeness } from '../../crawl/politeness/politeness.ts';
import type { BrowserEngine } from '../../fetch/browser/browser-engine.ts';
import type { FetchEngine } from '../../fetch/engine.ts';
import type { GaugeReader, HistoryGauges, SetServiceGauge } from '../../operations/operator/metrics-history.ts';
import type { Concurrency } from '../../operations/team/concurrency/concurrency.ts';
import type { FileParser } from '../../parse/file-parser.ts';
import type { RateLimits } from '../../policy/rates/rate-limits.ts';
import type { Log } from '../../runtime/log.ts';
import type { LoopDelay } from '../../runtime/loop-delay.ts';
import type { LabelsOf } from '../../runtime/metrics.ts';
import { memoryOf, memoryOfTree } from '../../runtime/programs/process-memory.ts';
import { override } from '../../runtime/threads/thread.ts';
import type { Tracer } from '../../runtime/tracer.ts';
import type { Sessions } from '../../sessions/session.ts';
import type { JobQueue } from '../../store/ports/jobs/job-queue.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Transformer } from '../../transform/transformer.ts';
import { createBoundedMap } from '../../util/bounded-map.ts';
import type { Clock } from '../../util/clock.ts';

type Engine = LabelsOf<(typeof METRICS)['trawl_engine_seconds']>['engine'];

/** Jobs whose waits are remembered. */
const MAX_JOBS = 1_000;

export interface Telemetry {
  metrics: ServiceMetrics;
  tracer: Tracer;
  log: Pick<Log, 'debug'>;
}

/** Observes the time of each call, and whether it succeeded; the log and traces have the single calls. */
function timed<Args extends unknown[], Result>(
  { metrics, tracer, log }: Telemetry,
  engine: Engine,
  call: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const began = performance.now();
    const observe = (outcome: 'ok' | 'failed') => {
      const ms = performance.now() - began;
      metrics.observe('trawl_engine_seconds', ms / 1000, { engine, outcome });
      log.debug({ stage: engine, outcome, ms: Math.round(ms) }, 'stage ended');
    };
    try {
      const result = await tracer.span(engine, {}, () => call(...args));
      observe('ok');
      return result;
    } catch (error) {
      observe('failed');
      throw error;
    }
  };
}

export const measureEngine = <E extends FetchEngine>(telemetry: Telemetry, engine: E): E => ({
  ...engine,
  fetch: timed(telemetry, engine.name as Engine, engine.fetch),
});

export const measureTransformer = (telemetry: Telemetry, transformer: Transformer): Transformer => ({
  ...transformer,
  transform: timed(telemetry, 'transform', transformer.transform),
});

export const measureParser = (telemetry: Telemetry, parser: FileParser): FileParser => ({
  ...parser,
  parse: timed(telemetry, 'parse', parser.parse),
});

export const measureConcurrency = (metrics: ServiceMetrics, concurrency: Concurrency): Concurrency => ({
  ...concurrency,
  async enter(...args) {
    const slot = await concurrency.enter(...args);
    metrics.observe('trawl_slot_wait_seconds', slot.waitedMs / 1000);
    return slot;
  },
});

export const measureRates = (metrics: ServiceMetrics, rates: RateLimits): RateLimits => ({
  async take(from, bucket) {
    try {
      return await rates.take(from, bucket);
    } catch (error) {
      metrics.count('trawl_rate_limited_total', { bucket });
      throw error;
    }
  },
});

/** Counts what becomes of tasks, and times how long a job's pages wait for a slot at their host. */
export function measureQueue(metrics: ServiceMetrics, queue: JobQueue): JobQueue {
  const waits = createBoundedMap<string, Map<string, number>>({ maxEntries: MAX_JOBS });
  return override<JobQueue>(queue, {
    async claim(request) {
      const claim = await queue.claim(request);
      const now = performance.now();
      const before = waits.peek(request.jobId);
      const served = new Set(claim.tasks.map((task) => task.host));
      for (const host of served) {
        const since = before?.get(host);
        if (since !== undefined) metrics.observe('trawl_host_wait_seconds', (now - since) / 1000);
      }
      const full = claim.fullHosts.map((host) => [host, (!served.has(host) && before?.get(host)) || now] as const);
      if (full.length > 0) waits.set(request.jobId, new Map(full));
      else waits.delete(request.jobId);
      return claim;
    },
    async finish(...args) {
      const finished = await queue.finish(...args);
      for (const { became } of finished) {
        metrics.count('trawl_job_pages_total', { outcome: became });
        if (became === 'blocked') metrics.count('trawl_refusals_total', { rule: 'robots' });
      }
      return finished;
    },
  });
}

interface Sampled {
  role: Role;
  store: Pick<Store, 'backlog' | 'feed'>;
  politeness: Pick<Politeness, 'busyHostSlots'>;
  browsers: readonly Pick<BrowserEngine, 'open' | 'processes'>[];
  sessions: Pick<Sessions, 'count' | 'processes'>;
  loopDelay: LoopDelay;
  isReady(): boolean;
  clock: Pick<Clock, 'now'>;
  /** In milliseconds. */
  clockOffset(): number;
}

/** What is measured only when somebody asks. One reader each, so that a slow store leaves the others. */
export function sampleService(metrics: ServiceMetrics, parts: Sampled): HistoryGauges {
  const { store } = parts;
  const ofProcess: GaugeReader = (set) => readProcess(set, parts);
  const ofBacklog: GaugeReader = (set) => readBacklog(set, parts);
  metrics.sample(ofProcess);
  metrics.sample(async (set) => {
    const [all, own] = await Promise.all([memoryOfTree(process.pid, 'private'), memoryOf(process.pid, 'private')]);
    set('trawl_memory_bytes', Math.max(0, all - own), { kind: 'children' });
  });
  metrics.sample(ofBacklog);
  metrics.sample(async (set) => {
    const { newest, acknowledged } = await store.feed.state();
    set('trawl_index_lag_changes', Math.max(0, newest - acknowledged));
  });
  return { ofProcess, ofBacklog };
}

function readProcess(set: SetServiceGauge, parts: Sampled): void {
  const { role, politeness, browsers, sessions, loopDelay, isReady, clockOffset } = parts;
  set('trawl_process', 1, { role });
  set('trawl_ready', isReady() ? 1 : 0);
  set('trawl_clock_offset_seconds', clockOffset() / 1000);
  const { p50, p99, max } = loopDelay.read();
  set('trawl_loop_delay_seconds', p50, { stat: 'p50' });
  set('trawl_loop_delay_seconds', p99, { stat: 'p99' });
  set('trawl_loop_delay_seconds', max, { stat: 'max' });
  const { rss, heapUsed, external } = process.memoryUsage();
  set('trawl_memory_bytes', rss, { kind: 'rss' });
  set('trawl_memory_bytes', heapUsed, { kind: 'heap_used' });
  set('trawl_memory_bytes', external, { kind: 'external' });
  const { user, system } = process.cpuUsage();
  set('trawl_cpu_seconds', (user + system) / 1e6);
  const engines = [...new Set(browsers)];
  const open = engines.map((browser) => browser.open());
  set('trawl_browsers', sum(open.map((each) => each.browsers)), { for: 'pages' });
  set('trawl_browsers', sessions.count(), { for: 'sessions' });
  set('trawl_browser_pages', sum(open.map((each) => each.pages)));
  const processes = [...engines.flatMap((browser) => browser.processes()), ...sessions.processes()];
  set('trawl_memory_bytes', sum(processes.map(({ memoryBytes }) => memoryBytes)), { kind: 'browsers' });
  const slots = Object.values(politeness.busyHostSlots());
  const full = slots.filter((free) => free < 1).length;
  set('trawl_hosts', slots.length - full, { state: 'open' });
  set('trawl_hosts', full, { state: 'full' });
}

async function readBacklog(set: SetServiceGauge, { store, clock }: Sampled): Promise<void> {
  const backlog = await store.backlog.read();
  const now = clock.now();
  set('trawl_jobs_unfinished', backlog.unfinishedJobs);
  set('trawl_runs_unfinished', backlog.unfinishedRuns);
  set('trawl_queue_pages', backlog.pages.waiting, { state: 'waiting' });
  set('trawl_queue_pages', backlog.pages.running, { state: 'running' });
  set('trawl_queue_age_seconds', secondsSince(backlog.oldestJobAt, now));
  set('trawl_webhooks_waiting', backlog.deliveries);
  set('trawl_webhooks_overdue_seconds', secondsSince(backlog.nextDeliveryAt, now));
  set('trawl_cache_bytes', backlog.cacheBytes);
  set('trawl_store_bytes', backlog.storeBytes);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const secondsSince = (time: number | undefined, now: number): number =>
  time === undefined ? 0 : Math.max(0, now - time) / 1000;
