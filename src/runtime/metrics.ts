// A small metrics registry with the text format of Prometheus (0.0.4). Every metric and every label value comes from one
// table, so the number of series is bounded, and no URL, host or team can become a label.

export interface Metric {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** Each label with all of its values. */
  labels?: Readonly<Record<string, readonly string[]>>;
  /** Upper bounds of a histogram, ascending. */
  buckets?: readonly number[];
}

export type MetricTable = Readonly<Record<string, Metric>>;

type NamesOf<Table extends MetricTable, Type extends Metric['type']> = {
  [Name in keyof Table]: Table[Name]['type'] extends Type ? Name : never;
}[keyof Table] &
  string;

/** The labels of a metric, each one of its listed values. */
export type LabelsOf<Entry extends Metric> = Entry extends {
  labels: infer All extends Record<string, readonly string[]>;
}
  ? { [Name in keyof All]: All[Name][number] }
  : Record<never, never>;

type LabelArguments<Entry extends Metric> = Entry extends { labels: object } ? [labels: LabelsOf<Entry>] : [];

export type SetGauge<Table extends MetricTable> = <Name extends NamesOf<Table, 'gauge'>>(
  name: Name,
  value: number,
  ...labels: LabelArguments<Table[Name]>
) => void;

export interface Metrics<Table extends MetricTable> {
  /** Adds one to a counter. */
  count<Name extends NamesOf<Table, 'counter'>>(name: Name, ...labels: LabelArguments<Table[Name]>): void;
  add<Name extends NamesOf<Table, 'counter'>>(name: Name, amount: number, ...labels: LabelArguments<Table[Name]>): void;
  observe<Name extends NamesOf<Table, 'histogram'>>(
    name: Name,
    value: number,
    ...labels: LabelArguments<Table[Name]>
  ): void;
  /** Registers a reader of gauges, which is asked only when somebody reads the metrics. */
  sample(read: (set: SetGauge<Table>) => void | Promise<void>): void;
  /** A counter, summed over all series that have these labels. */
  total<Name extends NamesOf<Table, 'counter'>>(name: Name, labels?: Partial<LabelsOf<Table[Name]>>): number;
  /** How often a histogram observed a value in each bucket, summed likewise. The last bucket has no upper bound. */
  distribution<Name extends NamesOf<Table, 'histogram'>>(name: Name, labels?: Partial<LabelsOf<Table[Name]>>): number[];
  /** Everything in the text format. A reader that fails or takes too long only leaves out its own gauges. */
  text(): Promise<string>;
}

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const SAMPLE_MS = 2_000;

interface Distribution {
  /** One for each bucket, not cumulative; the last counts what exceeds all bounds. */
  counts: number[];
  sum: number;
}

/** A label set as it is written, `{a="b"}`; empty without labels. */
type Series = string;

export interface MetricsOptions {
  sampleMs?: number;
  /** In every series, if several processes are measured. */
  process?: string;
}

export function createMetrics<const Table extends MetricTable>(
  table: Table,
  { sampleMs = SAMPLE_MS, process: name }: MetricsOptions = {},
): Metrics<Table> {
  const common = name === undefined ? '' : `process="${escapeValue(name)}"`;
  const counters = new Map<string, Map<Series, number>>();
  const histograms = new Map<string, Map<Series, Distribution>>();
  const readers: ((set: SetGauge<Table>) => void | Promise<void>)[] = [];
  for (const [name, metric] of Object.entries(table)) {
    if (metric.type === 'counter') counters.set(name, new Map(metric.labels ? [] : [['', 0]]));
    if (metric.type === 'histogram') histograms.set(name, new Map());
  }

  /** One reader's gauges, or nothing if it fails. */
  const readGauges = async (read: (typeof readers)[number]): Promise<[name: string, Series, number][]> => {
    const gauges: [string, Series, number][] = [];
    let isLate = false;
    const set: SetGauge<Table> = (name, value, ...labels) => {
      if (!isLate && Number.isFinite(value)) gauges.push([name, seriesOf(table[name]!, ...labels), value]);
    };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('The reader of a gauge takes too long.')), sampleMs);
    });
    try {
      await Promise.race([(async () => read(set))(), late]);
      return gauges;
    } catch {
      return [];
    } finally {
      isLate = true;
      clearTimeout(timer);
    }
  };

  const add: Metrics<Table>['add'] = (name, amount, ...labels) => {
    const series = counters.get(name)!;
    const key = seriesOf(table[name]!, ...labels);
    series.set(key, (series.get(key) ?? 0) + amount);
  };

  return {
    count: (name, ...labels) => add(name, 1, ...labels),
    add,
    observe(name, value, ...labels) {
      const { buckets = [] } = table[name]!;
      const all = histograms.get(name)!;
      const key = seriesOf(table[name]!, ...labels);
      const known = all.get(key) ?? { counts: Array.from({ length: buckets.length + 1 }, () => 0), sum: 0 };
      all.set(key, known);
      const at = buckets.findIndex((bound) => value <= bound);
      known.counts[at < 0 ? buckets.length : at]! += 1;
      known.sum += value;
    },
    sample: (read) => void readers.push(read),
    total: (name, labels) => matching(counters.get(name)!, labels).reduce((sum, value) => sum + value, 0),
    distribution(name, labels) {
      const sums = Array.from({ length: (table[name]!.buckets?.length ?? 0) + 1 }, () => 0);
      for (const { counts } of matching(histograms.get(name)!, labels)) {
        for (const [bucket, count] of counts.entries()) sums[bucket]! += count;
      }
      return sums;
    },
    async text() {
      const read = (await Promise.all(readers.map(readGauges))).flat();
      const gauges = Map.groupBy(read, ([name]) => name);
      const full = (series: Series): Series => withLabel(series, common);
      const lines = Object.entries(table).flatMap(([name, metric]) => [
        `# HELP ${name} ${metric.help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
        `# TYPE ${name} ${metric.type}`,
        ...[...(counters.get(name) ?? [])].map(([series, value]) => `${name}${full(series)} ${value}`),
        ...(gauges.get(name) ?? []).map(([, series, value]) => `${name}${full(series)} ${value}`),
        ...[...(histograms.get(name) ?? [])].flatMap(([series, distribution]) =>
          histogramLines(name, full(series), metric.buckets ?? [], distribution),
        ),
      ]);
      return `${lines.join('\n')}\n`;
    },
  };
}

/** The compiler lets only listed values through; what gets past it (a cast) becomes `other`, never a new series. */
function seriesOf({ labels }: Metric, given: Record<string, string> = {}): Series {
  if (!labels) return '';
  const pairs = Object.entries(labels).map(([name, values]) => {
    const value = values.includes(given[name]!) ? given[name]! : 'other';
    return `${name}="${escapeValue(value)}"`;
  });
  return `{${pairs.join(',')}}`;
}

/** Both may be empty. */
function withLabel(series: Series, label: string): Series {
  if (label === '') return series;
  return series === '' ? `{${label}}` : `${series.slice(0, -1)},${label}}`;
}

/** The values of the series that have these labels. */
function matching<Value>(all: ReadonlyMap<Series, Value>, labels: object = {}): Value[] {
  const wanted = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(String(value))}"`);
  return [...all].filter(([series]) => wanted.every((pair) => series.includes(pair))).map(([, value]) => value);
}

const escapeValue = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

function histogramLines(name: string, series: Series, bounds: readonly number[], { counts, sum }: Distribution) {
  const inner = series === '' ? '' : `${series.slice(1, -1)},`;
  let total = 0;
  const lines = counts.map((count, at) => {
    total += count;
    return `${name}_bucket{${inner}le="${bounds[at] ?? '+Inf'}"} ${total}`;
  });
  return [...lines, `${name}_sum${series} ${sum}`, `${name}_count${series} ${total}`];
}
