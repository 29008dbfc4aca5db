// One monitor: when it runs, its checks, and what each found on its pages.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { CheckView } from '../../../../src/contracts/monitor/monitor-check.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Tabs } from '../../ui/controls/tabs.tsx';
import { count } from '../../ui/data/format.ts';
import { type Column, Table } from '../../ui/data/table.tsx';
import { Time } from '../../ui/data/time.tsx';
import { plainLine } from '../../ui/data/untrusted.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { Empty } from '../../ui/states/empty.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { Status } from '../../ui/states/status.tsx';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { BackLink, JobProblem } from '../job-head.tsx';
import { Fact } from '../parts.tsx';
import { useLive } from '../use-live.ts';
import { CheckPages } from './check-pages.tsx';
import { deleteMonitor, runMonitor, setMonitorStatus } from './monitor-actions.ts';
import { type Monitor, MonitorStatus } from './monitor-list.tsx';
import { summaryText } from './summary.ts';

const ACTIVE_MS = 2_000;
const IDLE_MS = 15_000;

export function MonitorPage({ id }: { id: string }) {
  const { query, route } = useLocation();
  const [tab, setTab] = useState<'checks' | 'definition'>('checks');
  const { data, error, reload, isCutOff } = useLive(
    async (signal) => {
      const [monitor, checks] = await Promise.all([
        call('getMonitor', { params: { id }, signal }),
        call('listChecks', { params: { id }, query: { limit: 50 }, signal }),
      ]);
      return { monitor: monitor.data, checks: checks.data };
    },
    (loaded) => (loaded && loaded.monitor.currentCheckId !== null ? ACTIVE_MS : IDLE_MS),
    [id],
  );
  if (!data) return error ? <JobProblem name="Monitor" error={error} onRetry={reload} /> : <Skeleton lines={10} />;
  const { monitor, checks } = data;
  const open = checks.find((check) => check.id === query.check) ?? checks[0];
  return (
    <>
      <MonitorHead monitor={monitor} isCutOff={isCutOff} onChange={reload} />
      {error && !isCutOff ? <Problem error={error} /> : null}
      <Tabs
        label="Details of the monitor"
        tabs={[
          { id: 'checks', label: 'Checks', count: checks.length },
          { id: 'definition', label: 'Definition' },
        ]}
        current={tab}
        onSelect={setTab}
      >
        {tab === 'definition' ? (
          <CodeBlock label="Monitor" text={JSON.stringify(monitor, null, 2)} />
        ) : open ? (
          <>
            <Table
              caption="Checks"
              columns={columnsOf(open.id, (check) => route(`/console/jobs/monitor/${id}?check=${check}`, true))}
              rows={checks}
              rowKey={(check) => check.id}
            />
            <CheckPages monitorId={id} check={open} />
          </>
        ) : (
          <Empty title="No check has run yet">
            <p>The next one starts by itself. Or start one now, to see what the pages look like today.</p>
          </Empty>
        )}
      </Tabs>
    </>
  );
}

interface HeadProps {
  monitor: Monitor;
  isCutOff: boolean;
  onChange: () => void;
}

function MonitorHead({ monitor, isCutOff, onChange }: HeadProps) {
  const { route } = useLocation();
  const { id, status, currentCheckId, feedUrl } = monitor;
  const run = async (work: Promise<boolean>) => {
    if (await work) onChange();
  };
  return (
    <>
      <BackLink tab="monitors" />
      <PageHead
        title={`Monitor: ${plainLine(monitor.name, 120)}`}
        intro={
          <span class="row">
            <MonitorStatus monitor={monitor} />
            {isCutOff && <Status tone="warn">Connection lost, trying again</Status>}
            <a href={feedUrl} target="_blank" rel="noopener noreferrer">
              Atom feed
            </a>
          </span>
        }
      >
        {status === 'active' ? (
          <>
            <Button
              kind="primary"
              icon="refresh"
              disabled={currentCheckId !== null}
              onClick={() => run(runMonitor(id))}
            >
              Check now
            </Button>
            <Button icon="pause" onClick={() => run(setMonitorStatus(id, 'paused'))}>
              Pause
            </Button>
          </>
        ) : (
          <Button kind="primary" icon="play" onClick={() => run(setMonitorStatus(id, 'active'))}>
            Resume
          </Button>
        )}
        <Button
          kind="danger"
          icon="trash"
          onClick={async () => {
            if (await deleteMonitor(id, plainLine(monitor.name, 120))) route('/console/jobs?tab=monitors');
          }}
        >
          Delete
        </Button>
      </PageHead>
      <div class="tiles">
        <Fact label="Next check">{monitor.nextRunAt === null ? 'paused' : <Time at={monitor.nextRunAt} />}</Fact>
        <Fact label="Last check">
          <Time at={monitor.lastRunAt} />
        </Fact>
        <Fact label="Targets">{count(monitor.targets.length)}</Fact>
        <Fact label="Credits a month">about {count(monitor.estimatedCreditsPerMonth)}</Fact>
      </div>
    </>
  );
}

const TONES = { completed: 'good', failed: 'bad', partial: 'warn', queued: 'busy', running: 'busy' } as const;

const columnsOf = (openId: string, open: (id: string) => void): Column<CheckView>[] => [
  {
    id: 'when',
    title: 'Check',
    cell: ({ id, createdAt, trigger }) => (
      <button
        type="button"
        class="link-button"
        aria-pressed={id === openId ? 'true' : 'false'}
        onClick={() => open(id)}
      >
        <Time at={createdAt} /> {trigger === 'manual' && '(by hand)'}
      </button>
    ),
  },
  {
    id: 'status',
    title: 'Status',
    cell: ({ status }) => (
      <Status tone={TONES[status as keyof typeof TONES] ?? 'warn'}>{status.replaceAll('_', ' ')}</Status>
    ),
  },
  { id: 'found', title: 'Found', cell: ({ summary }) => summaryText(summary) },
  { id: 'credits', title: 'Credits', align: 'end', isMinor: true, cell: ({ actualCredits }) => actualCredits ?? '–' },
];
