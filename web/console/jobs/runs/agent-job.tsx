// A run of an agent: what it does as it happens, and what it has found.
import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/controls/dialog.tsx';
import { Tabs } from '../../ui/controls/tabs.tsx';
import { count } from '../../ui/data/format.ts';
import { Time } from '../../ui/data/time.tsx';
import { Empty } from '../../ui/states/empty.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { Status } from '../../ui/states/status.tsx';
import { useLoad } from '../../ui/states/use-load.ts';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { isActive } from '../describe.ts';
import { cancelJob } from '../job-actions.ts';
import { JobHead, JobProblem } from '../job-head.tsx';
import { RequestTab } from '../request-tab.tsx';
import { useLive } from '../use-live.ts';
import { RunFacts, RunResult } from './run-result.tsx';
import { type Step, stepsOf } from './steps.ts';

const POLL_MS = 1_500;

export function AgentJob({ id }: { id: string }) {
  const [tab, setTab] = useState<'steps' | 'data' | 'request'>('steps');
  const live = useLive(
    async (signal) => {
      const [job, status, trace] = await Promise.all([
        call('getJob', { params: { id }, signal }),
        call('agentStatus', { params: { id }, signal }),
        call('agentTrace', { params: { id }, signal }),
      ]);
      return { job: job.data, status, steps: stepsOf(trace.events) };
    },
    (data) => (data && isActive(data.job) ? POLL_MS : 0),
    [id],
  );
  const { data, error, reload, isCutOff } = live;
  if (!data) return error ? <JobProblem name="Agent" error={error} onRetry={reload} /> : <Skeleton lines={10} />;
  const { job, status, steps } = data;
  return (
    <>
      <JobHead job={job} isCutOff={isCutOff} error={error}>
        {isActive(job) && (
          <Button
            kind="danger"
            icon="stop"
            onClick={async () => {
              if (await cancelJob(job)) reload();
            }}
          >
            Cancel
          </Button>
        )}
      </JobHead>
      <RunFacts job={job} model={status.model} stopReason={status.stopReason} />
      <Tabs
        label="Details of the run"
        tabs={[
          { id: 'steps', label: 'Steps', count: count(steps.length) },
          { id: 'data', label: 'Data' },
          { id: 'request', label: 'Request' },
        ]}
        current={tab}
        onSelect={setTab}
      >
        {tab === 'steps' && <Steps id={id} steps={steps} />}
        {tab === 'data' && (
          <RunResult
            isRunning={isActive(job)}
            data={status.data ?? status.partial}
            message={status.message}
            warning={status.warning}
            sources={status.sources}
          />
        )}
        {tab === 'request' && <RequestTab {...job} />}
      </Tabs>
    </>
  );
}

function Steps({ id, steps }: { id: string; steps: readonly Step[] }) {
  const [snapshotId, setSnapshotId] = useState<string | undefined>();
  if (steps.length === 0) {
    return (
      <Empty title="It has not begun yet">
        <p>What the agent plans, searches and reads appears here step by step.</p>
      </Empty>
    );
  }
  return (
    <>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.id} class="step">
            <Status tone={step.tone}>{step.title}</Status>
            <span class="step-text">{step.text}</span>
            {step.snapshotId !== undefined && (
              <Button isSmall kind="quiet" onClick={() => setSnapshotId(step.snapshotId)}>
                Show the draft
              </Button>
            )}
            <span class="small faint">
              <Time at={step.at} />
            </span>
          </li>
        ))}
      </ol>
      {snapshotId !== undefined && (
        <Snapshot id={id} snapshotId={snapshotId} onClose={() => setSnapshotId(undefined)} />
      )}
    </>
  );
}

function Snapshot({ id, snapshotId, onClose }: { id: string; snapshotId: string; onClose: () => void }) {
  const { data, error, reload } = useLoad(
    (signal) => call('agentSnapshot', { params: { id, snapshotId }, signal }),
    [snapshotId],
  );
  return (
    <Dialog title="Draft of the result" onClose={onClose} isWide>
      {error ? (
        <Problem error={error} onRetry={reload} />
      ) : data ? (
        <CodeBlock label="Draft" text={data.snapshot} />
      ) : (
        <Skeleton lines={8} />
      )}
    </Dialog>
  );
}
