// Samples the metrics every ten seconds, so that charts show the last hour when somebody opens them. Nothing is measured a
// second time: rates are differences of counters, latencies come from the buckets of histograms.
import {
  type HealthHistoryResponse,
  HISTORY_COLUMNS,
  type HistoryColumn,
} from '../../contracts/operator/health-history.ts';
import { METRICS, type ServiceMetrics } from '../../contracts/operator/metrics.ts';
import type { SetGauge } from '../../runtime/metrics.ts';
import { createSampleRing } from '../../runtime/sample-ring.ts';
import type { Clock } from '../../util/clock.ts';

export type SetServiceGauge = SetGauge<typeof METRICS>;
export type GaugeReader = (set: SetServiceGauge) => void | Promise<void>;

/** Readers of gauges, which the metrics use as well. */
export interface HistoryGauges {
  /** Takes no time. */
  ofProcess: GaugeReader;
  /** Asks the store, which should not be woken while nothing happens. */
  ofBacklog: GaugeReader;
}

export interface MetricsHistory {
  sample(gauges: HistoryGauges): Promise<void>;
  /** Samples from now on, until `stop`. */
  start(gauges: HistoryGauges): void;
  stop(): void;
  read(since: number): Omit<HealthHistoryResponse['data'], 'process'>;
}

interface HistoryDeps {
  metrics: Pick<ServiceMetrics, 'total' | 'distribution'>;
  clock: Pick<Clock, 'now'>;
}

type Row = Partial<Record<HistoryColumn, number>>;
type Distributions = Readonly<Record<'scrape' | 'search' | 'all', number[]>>;

const EVERY_MS = 10_000;
const SAMPLES = 360;
const BOUNDS = METRICS.trawl_request_seconds.buckets;

export function createMetricsHistory({ metrics, clock }: HistoryDeps): MetricsHistory {
  const ring = createSampleRing(HISTORY_COLUMNS, SAMPLES);
  let before = readCounters(metrics, clock.now());
  let cpuBefore: number | undefined;
  let backlog: Row | undefined;
  let isSampling = false;
  let timer: NodeJS.Timeout | undefined;

  const take = async ({ ofProcess, ofBacklog }: HistoryGauges): Promise<void> => {
    const now = readCounters(metrics, clock.now());
    const seconds = Math.max(1, now.at - before.at) / 1000;
    const rates = ratesOf(before, now, seconds);
    const { cpuSeconds, ...gauges } = processRow(await readGauges(ofProcess));
    const cpu = cpuBefore === undefined ? undefined : (cpuSeconds - cpuBefore) / seconds;
    const hasWork = (rates.requests ?? 0) > 0 || (rates.pages ?? 0) > 0;
    if (!backlog || hasWork || Object.values(backlog).some((count) => count > 0)) {
      backlog = backlogRow(await readGauges(ofBacklog));
    }
    ring.add(now.at, {
      ...rates,
      ...latenciesOf(before, now),
      ...gauges,
      ...(cpu !== undefined && { cpu }),
      ...backlog,
    });
    before = now;
    cpuBefore = cpuSeconds;
  };
  const sample = async (gauges: HistoryGauges): Promise<void> => {
    if (isSampling) return;
    isSampling = true;
    // A store that cannot be read has told the log. The next sample tries again.
    await take(gauges).catch(() => {});
    isSampling = false;
  };

  return {
    sample,
    start(gauges) {
      timer = setInterval(sample, EVERY_MS, gauges).unref();
      sample(gauges);
    },
    stop: () => clearInterval(timer),
    read: (since) => ({ everyMs: EVERY_MS, keptMs: EVERY_MS * SAMPLES, now: clock.now(), ...ring.since(since) }),
  };
}

function readCounters(metrics: HistoryDeps['metrics'], at: number) {
  const requests = metrics.total('trawl_requests_total');
  const failedPages = metrics.total('trawl_pages_total', { source: 'failed' });
  const seconds = (operation?: 'scrape' | 'search') =>
    metrics.distribution('trawl_request_seconds', operation && { operation });
  return {
    at,
    counts: {
      requests,
      refused: metrics.total('trawl_requests_total', { status: '4xx' }),
      failed: metrics.total('trawl_requests_total', { status: '5xx' }),
      pages: metrics.total('trawl_pages_total') - failedPages,
      failedPages,
    },
    seconds: { scrape: seconds('scrape'), search: seconds('search'), all: seconds() } satisfies Distributions,
  };
}

type Counters = ReturnType<typeof readCounters>;

function ratesOf(before: Counters, now: Counters, seconds: number): Row {
  const names = Object.keys(now.counts) as (keyof Counters['counts'])[];
  return Object.fromEntries(names.map((name) => [name, (now.counts[name] - before.counts[name]) / seconds]));
}

function latenciesOf(before: Counters, now: Counters): Row {
  const scrape = difference(now.seconds.scrape, before.seconds.scrape);
  const search = difference(now.seconds.search, before.seconds.search);
  const other = difference(difference(difference(now.seconds.all, before.seconds.all), scrape), search);
  return {
    scrapeP50: quantileOf(scrape, BOUNDS, 0.5),
    scrapeP95: quantileOf(scrape, BOUNDS, 0.95),
    searchP50: quantileOf(search, BOUNDS, 0.5),
    searchP95: quantileOf(search, BOUNDS, 0.95),
    otherP50: quantileOf(other, BOUNDS, 0.5),
    otherP95: quantileOf(other, BOUNDS, 0.95),
  };
}

const difference = (a: readonly number[], b: readonly number[]): number[] => a.map((count, at) => count - b[at]!);

/** The gauges that a reader sets, by name and label value. */
async function readGauges(read: GaugeReader): Promise<(name: string) => number> {
  const found = new Map<string, number>();
  await read((name, value, ...labels) => {
    found.set([name, ...labels.flatMap((set) => Object.values(set))].join(' '), value);
  });
  return (name) => found.get(name) ?? Number.NaN;
}

const processRow = (gauge: (name: string) => number) => ({
  rssBytes: gauge('trawl_memory_bytes rss'),
  heapBytes: gauge('trawl_memory_bytes heap_used'),
  browserBytes: gauge('trawl_memory_bytes browsers'),
  loopDelay: gauge('trawl_loop_delay_seconds p99'),
  browsers: gauge('trawl_browsers pages'),
  sessions: gauge('trawl_browsers sessions'),
  browserPages: gauge('trawl_browser_pages'),
  cpuSeconds: gauge('trawl_cpu_seconds'),
});

const backlogRow = (gauge: (name: string) => number) => ({
  waitingPages: gauge('trawl_queue_pages waiting'),
  runningPages: gauge('trawl_queue_pages running'),
  unfinishedJobs: gauge('trawl_jobs_unfinished'),
  unfinishedRuns: gauge('trawl_runs_unfinished'),
});

/**
 * A quantile, estimated from the buckets of a histogram. Within a bucket, values count as spread evenly. Above the last
 * bound, the bound is the answer. NaN without values.
 */
export function quantileOf(counts: readonly number[], bounds: readonly number[], share: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return Number.NaN;
  const wanted = total * share;
  let seen = 0;
  for (const [at, count] of counts.entries()) {
    if (count > 0 && seen + count >= wanted) {
      const [from, to] = [bounds[at - 1] ?? 0, bounds[at]];
      return to === undefined ? from : from + ((wanted - seen) / count) * (to - from);
    }
    seen += count;
  }
  return bounds.at(-1)!;
}
