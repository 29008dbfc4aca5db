// The monitors of the team: when each runs next, what its last check found, and what can be done with it.
import { useState } from 'preact/hooks';
import type { ResponseOf } from '../../../../src/contracts/route-types.ts';
import { call } from '../../api/call.ts';
import { exampleCommand } from '../../session/example-command.ts';
import { Button } from '../../ui/controls/button.tsx';
import { type Column, Table } from '../../ui/data/table.tsx';
import { Time } from '../../ui/data/time.tsx';
import { plainLine } from '../../ui/data/untrusted.ts';
import { Empty } from '../../ui/states/empty.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { Status } from '../../ui/states/status.tsx';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { useLive } from '../use-live.ts';
import { runMonitor, setMonitorStatus } from './monitor-actions.ts';
import { summaryText } from './summary.ts';

export type Monitor = ResponseOf<'listMonitors'>['data'][number];

const PAGE = 100;
const ACTIVE_MS = 2_000;
const IDLE_MS = 15_000;

const EXAMPLE = `{"name": "Prices", "schedule": {"text": "every 6 hours"},
       "targets": [{"type": "scrape", "urls": ["https://example.com"]}]}`;

export function MonitorList() {
  const [offset, setOffset] = useState(0);
  const { data, error, reload, isCutOff } = useLive(
    async (signal) => (await call('listMonitors', { query: { limit: PAGE, offset }, signal })).data,
    (list) => (list?.some(({ currentCheckId }) => currentCheckId !== null) ? ACTIVE_MS : IDLE_MS),
    [offset],
  );
  if (!data) return error ? <Problem error={error} onRetry={reload} /> : <Skeleton lines={6} />;
  if (data.length === 0 && offset === 0) {
    return (
      <Empty title="No monitor watches anything yet">
        <p>
          A monitor reads pages, a site or the results of a search on a schedule, and tells you what has changed: here,
          in a feed, by webhook or by e-mail.
        </p>
        <CodeBlock label="Watch a page every six hours" text={exampleCommand('/v2/monitor', EXAMPLE)} />
      </Empty>
    );
  }
  return (
    <>
      {isCutOff && (
        <p class="notice notice-warn" role="status">
          The service does not answer. This list is as it was then; it is asked again every two seconds.
        </p>
      )}
      <Table caption="Monitors" columns={columnsOf(reload)} rows={data} rowKey={({ id }) => id} />
      <div class="row">
        {offset > 0 && <Button onClick={() => setOffset(offset - PAGE)}>Newer ones</Button>}
        {data.length === PAGE && <Button onClick={() => setOffset(offset + PAGE)}>Older ones</Button>}
      </div>
    </>
  );
}

const columnsOf = (onChange: () => void): Column<Monitor>[] => [
  {
    id: 'name',
    title: 'Monitor',
    cell: ({ id, name, schedule }) => (
      <div class="job-target">
        <a class="cut" href={`/console/jobs/monitor/${id}`}>
          {plainLine(name, 200)}
        </a>
        <span class="small soft">
          <code>{schedule.cron}</code> {schedule.timezone}
        </span>
      </div>
    ),
  },
  { id: 'status', title: 'Status', cell: (monitor) => <MonitorStatus monitor={monitor} /> },
  { id: 'next', title: 'Next check', isMinor: true, cell: ({ nextRunAt }) => <Time at={nextRunAt} /> },
  { id: 'last', title: 'Last check', isMinor: true, cell: ({ lastRunAt }) => <Time at={lastRunAt} /> },
  {
    id: 'found',
    title: 'Found',
    cell: ({ lastCheckSummary }) => <span class="small">{summaryText(lastCheckSummary)}</span>,
  },
  {
    id: 'actions',
    title: 'Actions',
    isTitleHidden: true,
    align: 'end',
    cell: (monitor) => <Actions monitor={monitor} onChange={onChange} />,
  },
];

export function MonitorStatus({ monitor }: { monitor: Pick<Monitor, 'status' | 'currentCheckId'> }) {
  if (monitor.currentCheckId !== null) return <Status tone="busy">Checking</Status>;
  return monitor.status === 'active' ? <Status tone="good">Active</Status> : <Status tone="warn">Paused</Status>;
}

function Actions({ monitor, onChange }: { monitor: Monitor; onChange: () => void }) {
  const { id, status, feedUrl, currentCheckId } = monitor;
  const name = plainLine(monitor.name, 60);
  const run = async (work: Promise<boolean>) => {
    if (await work) onChange();
  };
  return (
    <span class="row job-actions">
      {status === 'active' && currentCheckId === null && (
        <Button isSmall kind="quiet" icon="refresh" label={`Check ${name} now`} onClick={() => run(runMonitor(id))} />
      )}
      {status === 'active' ? (
        <Button
          isSmall
          kind="quiet"
          icon="pause"
          label={`Pause ${name}`}
          onClick={() => run(setMonitorStatus(id, 'paused'))}
        />
      ) : (
        <Button
          isSmall
          kind="quiet"
          icon="play"
          label={`Resume ${name}`}
          onClick={() => run(setMonitorStatus(id, 'active'))}
        />
      )}
      <a class="small" href={feedUrl} target="_blank" rel="noopener noreferrer" aria-label={`Feed of ${name}`}>
        Feed
      </a>
    </span>
  );
}
