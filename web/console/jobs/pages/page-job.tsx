// A crawl or a batch: progress, buttons, and tabs for its pages, errors, hosts and request.
import { useRef, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { Tabs } from '../../ui/controls/tabs.tsx';
import { count } from '../../ui/data/format.ts';
import { Progress } from '../../ui/states/progress.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { addSample, isActive, KIND_NAMES, paceText, pagesText, type Sample } from '../describe.ts';
import { JobHead, JobProblem } from '../job-head.tsx';
import { Fact, TimeFacts } from '../parts.tsx';
import { RequestTab } from '../request-tab.tsx';
import { useLive } from '../use-live.ts';
import { ErrorsTab } from './errors-tab.tsx';
import { HostsTab } from './hosts-tab.tsx';
import { PageJobActions } from './page-job-actions.tsx';
import type { PageJobDetails, PageJobKind } from './page-rows.ts';
import { PagesTab } from './pages-tab.tsx';

type TabId = 'pages' | 'errors' | 'hosts' | 'request';

const POLL_MS = 1_500;

export function PageJob({ kind, id }: { kind: PageJobKind; id: string }) {
  const [tab, setTab] = useState<TabId>('pages');
  const live = useLive(
    async (signal) => (await call('getJob', { params: { id }, signal })).data,
    (data) => (data && isActive(data) ? POLL_MS : 0),
    [id],
  );
  const { data: job, error, reload, isCutOff } = live;
  if (!job)
    return error ? <JobProblem name={KIND_NAMES[kind]} error={error} onRetry={reload} /> : <Skeleton lines={10} />;
  const part = { kind, id, isRunning: isActive(job), version: `${job.completed} ${job.failed} ${job.status}` };
  const failed = job.failed ?? 0;
  return (
    <>
      <JobHead job={job} isCutOff={isCutOff} error={error}>
        <PageJobActions job={job} onChange={reload} />
      </JobHead>
      <JobFacts job={job} />
      <Tabs
        label="Details of the job"
        tabs={[
          { id: 'pages', label: 'Pages', count: count(job.completed ?? 0) },
          { id: 'errors', label: 'Errors', count: count(failed) },
          { id: 'hosts', label: 'Hosts' },
          { id: 'request', label: 'Request' },
        ]}
        current={tab}
        onSelect={setTab}
      >
        {tab === 'pages' && <PagesTab {...part} />}
        {tab === 'errors' && <ErrorsTab {...part} onRetried={reload} canRetry={job.status !== 'cancelled'} />}
        {tab === 'hosts' && <HostsTab {...part} />}
        {tab === 'request' && <RequestTab {...job} />}
      </Tabs>
    </>
  );
}

function JobFacts({ job }: { job: PageJobDetails }) {
  const samples = useRef<Sample[]>([]);
  const { completed = 0, total = 0, failed = 0, limit } = job;
  const isRunning = isActive(job) && !job.paused;
  samples.current = isRunning ? addSample(samples.current, { at: Date.now(), ended: completed + failed }) : [];
  const pace = paceText(samples.current, total - completed);
  return (
    <>
      <div class="card job-pace">
        <Progress value={completed} max={total} label="Pages that are done">
          <span>{pagesText(job)}</span>
          <span>{isRunning ? (pace ?? 'Measuring the pace') : job.paused ? 'Paused' : ''}</span>
        </Progress>
      </div>
      <div class="tiles">
        {limit !== undefined && <Fact label="Limit">{count(limit)}</Fact>}
        <Fact label="Credits">{count(job.creditsUsed)}</Fact>
        <TimeFacts job={job} />
      </div>
    </>
  );
}
