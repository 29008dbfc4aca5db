// Makes the dashboard for Grafana (deploy/grafana-dashboard.json) from a table of panels. The compiler checks that every metric
// exists.
import type { METRICS } from '../../src/contracts/operator/metrics.ts';

type Name = keyof typeof METRICS;

interface Panel {
  title: string;
  /** PromQL; the legend names the series. */
  queries: readonly [query: string, legend: string][];
  unit?: 's' | 'reqps' | 'bytes' | 'short' | 'percentunit';
  help: string;
}

const BY_PROCESS = '{process=~"$process"}';
const of = (name: Name, labels = ''): string => `${name}{process=~"$process"${labels && `,${labels}`}}`;
const rate = (name: Name, by: string, labels = ''): string =>
  `sum by (${by}) (rate(${of(name, labels)}[$__rate_interval]))`;
const quantile = (share: number, name: Name, by = ''): string =>
  `histogram_quantile(${share}, sum by (le${by && `, ${by}`}) (rate(${name}_bucket${BY_PROCESS}[$__rate_interval])))`;

const ROWS: readonly [row: string, panels: readonly Panel[]][] = [
  [
    'Processes',
    [
      {
        title: 'Ready',
        queries: [[`sum by (process) (${of('trawl_ready')})`, '{{process}}']],
        help: 'A process that is cut off from the database, starts or stops is not ready.',
      },
      {
        title: 'Processor time',
        queries: [[`sum by (process) (rate(${of('trawl_cpu_seconds')}[$__rate_interval]))`, '{{process}}']],
        unit: 'short',
        help: 'Cores in use.',
      },
      {
        title: 'Memory',
        queries: [[`sum by (process) (${of('trawl_memory_bytes', 'kind=~"rss|children"')})`, '{{process}}']],
        unit: 'bytes',
        help: 'Of the process and its children.',
      },
      {
        title: 'Delay of the event loop (99 %)',
        queries: [[`max by (process) (${of('trawl_loop_delay_seconds', 'stat="p99"')})`, '{{process}}']],
        unit: 's',
        help: 'Above 0.1 s, requests wait for the process itself.',
      },
    ],
  ],
  [
    'Requests',
    [
      {
        title: 'Requests',
        queries: [[rate('trawl_requests_total', 'operation'), '{{operation}}']],
        unit: 'reqps',
        help: 'By operation.',
      },
      {
        title: 'Time of requests',
        queries: [
          [quantile(0.5, 'trawl_request_seconds'), '50 %'],
          [quantile(0.99, 'trawl_request_seconds'), '99 %'],
        ],
        unit: 's',
        help: 'Until the end of the answer.',
      },
      {
        title: 'Errors',
        queries: [[rate('trawl_errors_total', 'code'), '{{code}}']],
        unit: 'reqps',
        help: 'By code of the error table.',
      },
      {
        title: 'Rate limits',
        queries: [[rate('trawl_rate_limited_total', 'bucket'), '{{bucket}}']],
        unit: 'reqps',
        help: 'Requests that were refused because of a limit.',
      },
    ],
  ],
  [
    'Crawls',
    [
      {
        title: 'Pages',
        queries: [[rate('trawl_job_pages_total', 'process'), '{{process}}']],
        unit: 'reqps',
        help: 'Pages of jobs that ended, by process.',
      },
      {
        title: 'Waiting and running',
        queries: [[`max by (state) (${of('trawl_queue_pages')})`, '{{state}}']],
        unit: 'short',
        help: 'Pages of unfinished jobs. Every process reports the same queue.',
      },
      {
        title: 'Age of the oldest job',
        queries: [[`max(${of('trawl_queue_age_seconds')})`, 'oldest']],
        unit: 's',
        help: 'Rises while the workers cannot keep up.',
      },
      {
        title: 'Wait for a host',
        queries: [[quantile(0.99, 'trawl_host_wait_seconds'), '99 %']],
        unit: 's',
        help: 'Pages that wait because their host is asked politely.',
      },
    ],
  ],
  [
    'Engines',
    [
      {
        title: 'Time of stages (99 %)',
        queries: [[quantile(0.99, 'trawl_engine_seconds', 'engine'), '{{engine}}']],
        unit: 's',
        help: 'Fetching by each engine, transforming, parsing.',
      },
      {
        title: 'Index lag',
        queries: [[`max by (process) (${of('trawl_index_lag_changes')})`, '{{process}}']],
        unit: 'short',
        help: 'Changes that the index has not taken in.',
      },
      {
        title: 'Webhooks',
        queries: [[`max(${of('trawl_webhooks_waiting')})`, 'waiting']],
        unit: 'short',
        help: 'Calls that wait to be made.',
      },
      {
        title: 'Stored',
        queries: [
          [`max(${of('trawl_store_bytes')})`, 'database'],
          [`max(${of('trawl_cache_bytes')})`, 'page cache'],
        ],
        unit: 'bytes',
        help: 'Size of the database and of the cached pages.',
      },
    ],
  ],
];

const WIDTH = 6;
const HEIGHT = 8;
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

export function buildDashboard(): object {
  let id = 0;
  let y = 0;
  const panels = ROWS.flatMap(([row, members]) => {
    const head = { id: ++id, type: 'row', title: row, collapsed: false, gridPos: { x: 0, y, w: 24, h: 1 }, panels: [] };
    const shown = members.map((panel, at) => ({
      id: ++id,
      type: 'timeseries',
      title: panel.title,
      description: panel.help,
      datasource: DATASOURCE,
      gridPos: { x: at * WIDTH, y: y + 1, w: WIDTH, h: HEIGHT },
      fieldConfig: { defaults: { unit: panel.unit ?? 'short', min: 0 }, overrides: [] },
      options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
      targets: panel.queries.map(([expr, legendFormat], index) => ({
        refId: String.fromCharCode(65 + index),
        datasource: DATASOURCE,
        ...{ expr, legendFormat },
      })),
    }));
    y += 1 + HEIGHT;
    return [head, ...shown];
  });
  return {
    uid: 'trawl',
    title: 'Trawl',
    tags: ['trawl'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    templating: { list: [datasourceVariable, processVariable] },
    panels,
  };
}

const datasourceVariable = { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' };

const processVariable = {
  name: 'process',
  label: 'Process',
  type: 'query',
  datasource: DATASOURCE,
  query: { query: 'label_values(trawl_process, process)', refId: 'processes' },
  refresh: 2,
  includeAll: true,
  // A single process has no label.
  allValue: '.*',
  multi: true,
  current: { text: 'All', value: '$__all' },
};
