// The frontier by host: what waits, runs and has ended, and the pace that each host allows.
import type { ResponseOf } from '../../../../src/contracts/route-types.ts';
import { call } from '../../api/call.ts';
import { count, duration, plural } from '../../ui/data/format.ts';
import { type Column, Table } from '../../ui/data/table.tsx';
import { plainLine } from '../../ui/data/untrusted.ts';
import { Empty } from '../../ui/states/empty.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { Status } from '../../ui/states/status.tsx';
import { useLive } from '../use-live.ts';
import type { JobPart } from './page-rows.ts';

type Host = ResponseOf<'crawlHosts'>['data'][number];

const POLL_MS = 3_000;

export function HostsTab({ kind, id, isRunning }: JobPart) {
  const route = kind === 'crawl' ? 'crawlHosts' : 'batchHosts';
  const { data, error, reload } = useLive(
    (signal) => call(route, { params: { id }, query: { limit: 50 }, signal }),
    () => (isRunning ? POLL_MS : 0),
    [id, isRunning],
  );
  if (!data) return error ? <Problem error={error} onRetry={reload} /> : <Skeleton lines={6} />;
  const { data: hosts, hosts: all, total } = data;
  if (hosts.length === 0) {
    return (
      <Empty title="No page is known yet">
        <p>As soon as the job has found pages, you see here at which hosts they wait.</p>
      </Empty>
    );
  }
  return (
    <>
      <p class="soft">
        {plural(all, 'host')}: {count(total.waiting)} waiting, {count(total.running)} in progress, {count(total.done)}{' '}
        done, {count(total.failed)} failed, {count(total.blocked)} forbidden by robots.txt.
        {all > hosts.length && ` These are the ${hosts.length} hosts with the most to do.`}
      </p>
      <Table caption="Hosts of the job" columns={COLUMNS} rows={hosts} rowKey={({ host }) => host} />
    </>
  );
}

const number = (name: 'waiting' | 'running' | 'done' | 'failed', title: string): Column<Host> => ({
  id: name,
  title,
  align: 'end',
  cell: (host) => count(host[name]),
});

const COLUMNS: Column<Host>[] = [
  { id: 'host', title: 'Host', cell: ({ host }) => <span class="cut">{plainLine(host)}</span> },
  number('waiting', 'Waiting'),
  number('running', 'In progress'),
  number('done', 'Done'),
  number('failed', 'Failed'),
  { id: 'pace', title: 'Pace', cell: (host) => <Pace host={host} /> },
];

function Pace({ host }: { host: Host }) {
  const { slots, crawlDelay, pausedUntil, refusals, averageMs } = host;
  const left = pausedUntil === null ? 0 : Date.parse(pausedUntil) - Date.now();
  if (left > 0) {
    return (
      <span class="row">
        <Status tone="warn">Asked for a pause</Status>
        <span class="small soft">
          {duration(left)} left, refused {plural(refusals, 'time')} in a row
        </span>
      </span>
    );
  }
  const speed = crawlDelay === null ? `${slots} at a time` : `one every ${crawlDelay} s (robots.txt)`;
  return (
    <span class="small">
      {speed}
      {averageMs !== null && `, answers in ${duration(averageMs)}`}
    </span>
  );
}
