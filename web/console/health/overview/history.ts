// The samples of the last hour as the page keeps them: asked for once, then only what is new.
import type { HistoryColumn } from '../../../../src/contracts/operator/health-history.ts';
import type { ResponseOf } from '../../../../src/contracts/route-types.ts';
import type { ChartData, ChartSeries, Figure } from '../chart/chart-data.ts';

export type History = ResponseOf<'healthHistory'>['data'];

/** Adds what is new, and drops what is too old. A service that was started anew, or another process, begins anew. */
export function mergeHistory(known: History | undefined, fresh: History): History {
  if (!known || isRestarted(known, fresh)) return fresh;
  const newest = known.at.at(-1) ?? 0;
  const from = fresh.at.findIndex((at) => at > newest);
  const oldest = fresh.now - fresh.keptMs;
  const keep = known.at.findIndex((at) => at >= oldest);
  const join = <T>(before: readonly T[], after: readonly T[]): T[] => [
    ...(keep < 0 ? [] : before.slice(keep)),
    ...(from < 0 ? [] : after.slice(from)),
  ];
  const columns = Object.keys(fresh.series) as HistoryColumn[];
  return {
    ...fresh,
    at: join(known.at, fresh.at),
    series: Object.fromEntries(
      columns.map((column) => [column, join(known.series[column], fresh.series[column])]),
    ) as History['series'],
  };
}

const isRestarted = (known: History, fresh: History): boolean =>
  fresh.now < known.now || fresh.process.id !== known.process.id;

/** The latest figure of a column. */
export const currentOf = (history: History | undefined, column: HistoryColumn): Figure =>
  history?.series[column].at(-1) ?? null;

/** Before the first answer: charts keep their space. */
export const NO_HISTORY: Pick<History, 'at'> & { series: Partial<History['series']> } = { at: [], series: {} };

type Line = [column: HistoryColumn, label: string, color: ChartSeries['color'], isDashed?: boolean];

interface ChartPlan {
  title: string;
  help: string;
  unit: ChartData['unit'];
  lines: readonly Line[];
}

export const CHARTS: readonly ChartPlan[] = [
  {
    title: 'Throughput',
    help: 'Requests to the service, and pages that it read for them.',
    unit: 'perSecond',
    lines: [
      ['requests', 'Requests', 1],
      ['pages', 'Pages read', 3],
      ['failedPages', 'Pages that failed', 2],
      ['failed', 'Errors of the service', 6],
    ],
  },
  {
    title: 'Latency',
    help: 'Half of the requests were faster than the line, 95 of 100 faster than the dashed line.',
    unit: 'seconds',
    lines: [
      ['scrapeP50', 'Scrapes', 1],
      ['scrapeP95', 'Scrapes, 95%', 1, true],
      ['searchP50', 'Searches', 3],
      ['searchP95', 'Searches, 95%', 3, true],
      ['otherP95', 'Others, 95%', 5, true],
    ],
  },
  {
    title: 'Queue',
    help: 'Pages of crawls and batches that wait or are being read, and work that has not ended.',
    unit: 'count',
    lines: [
      ['waitingPages', 'Pages that wait', 2],
      ['runningPages', 'Pages being read', 1],
      ['unfinishedJobs', 'Crawls and batches', 3],
      ['unfinishedRuns', 'Agents and checks', 4],
    ],
  },
  {
    title: 'Memory',
    help: 'The service as a whole, its JavaScript heap, and all browsers.',
    unit: 'bytes',
    lines: [
      ['rssBytes', 'Service', 1],
      ['heapBytes', 'Heap', 5],
      ['browserBytes', 'Browsers', 4],
    ],
  },
  {
    title: 'Processor',
    help: 'How many processor cores the service itself kept busy. Browsers are not counted.',
    unit: 'number',
    lines: [['cpu', 'Cores in use', 1]],
  },
  {
    title: 'Event loop',
    help: 'How late the service was with what it had planned: high values mean that everything waits.',
    unit: 'seconds',
    lines: [['loopDelay', 'Delay, 99%', 6]],
  },
];

export const chartOf = ({ at, series }: typeof NO_HISTORY, { unit, lines }: ChartPlan): ChartData => ({
  at,
  unit,
  series: lines.map(([column, label, color, isDashed]) => ({
    ...{ label, color, values: series[column] ?? [] },
    ...(isDashed && { isDashed }),
  })),
});
