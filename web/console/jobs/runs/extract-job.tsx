// An extraction: its state and its data.
import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { Tabs } from '../../ui/controls/tabs.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { isActive } from '../describe.ts';
import { JobHead, JobProblem } from '../job-head.tsx';
import { RequestTab } from '../request-tab.tsx';
import { useLive } from '../use-live.ts';
import { RunFacts, RunResult } from './run-result.tsx';

const POLL_MS = 1_500;
const TABS = [
  { id: 'data', label: 'Data' },
  { id: 'request', label: 'Request' },
] as const;

export function ExtractJob({ id }: { id: string }) {
  const [tab, setTab] = useState<'data' | 'request'>('data');
  const { data, error, reload, isCutOff } = useLive(
    async (signal) => {
      const [job, status] = await Promise.all([
        call('getJob', { params: { id }, signal }),
        call('extractStatus', { params: { id }, signal }),
      ]);
      return { job: job.data, status };
    },
    (loaded) => (loaded && isActive(loaded.job) ? POLL_MS : 0),
    [id],
  );
  if (!data) return error ? <JobProblem name="Extraction" error={error} onRetry={reload} /> : <Skeleton lines={10} />;
  const { job, status } = data;
  const found = status.status === 'completed' ? status.data : undefined;
  return (
    <>
      <JobHead job={job} isCutOff={isCutOff} error={error} />
      <RunFacts job={job} />
      <Tabs label="Details of the extraction" tabs={TABS} current={tab} onSelect={setTab}>
        {tab === 'data' ? (
          <RunResult isRunning={isActive(job)} data={found} warning={status.warning} sources={status.sources} />
        ) : (
          <RequestTab {...job} />
        )}
      </Tabs>
    </>
  );
}
