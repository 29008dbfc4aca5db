// The table of jobs: what each is about, how far it is, and what can be done with it.
import type { ListedJobView } from '../../../../src/contracts/crawl/job-list.ts';
import { Button } from '../../ui/controls/button.tsx';
import { count } from '../../ui/data/format.ts';
import { type Column, Table } from '../../ui/data/table.tsx';
import { Time } from '../../ui/data/time.tsx';
import { plainLine } from '../../ui/data/untrusted.ts';
import { Progress } from '../../ui/states/progress.tsx';
import { addressOfJob, isActive, KIND_NAMES, pagesText } from '../describe.ts';
import { cancelJob, pauseJob, resumeJob } from '../job-actions.ts';
import { JobStatus } from '../parts.tsx';

interface Props {
  jobs: readonly ListedJobView[];
  onChange: () => void;
}

export function JobTable({ jobs, onChange }: Props) {
  return <Table caption="Jobs" columns={columnsOf(onChange)} rows={jobs} rowKey={({ id }) => id} />;
}

const columnsOf = (onChange: () => void): Column<ListedJobView>[] => [
  {
    id: 'target',
    title: 'Job',
    cell: (job) => (
      <div class="job-target">
        <a class="cut" href={addressOfJob(job)}>
          {job.target === null ? 'Not stored (zero data retention)' : plainLine(job.target, 200)}
        </a>
        <span class="small soft">{KIND_NAMES[job.kind]}</span>
      </div>
    ),
  },
  { id: 'status', title: 'Status', cell: (job) => <JobStatus job={job} /> },
  { id: 'progress', title: 'Progress', cell: (job) => <JobProgress job={job} /> },
  { id: 'credits', title: 'Credits', align: 'end', isMinor: true, cell: ({ creditsUsed }) => count(creditsUsed) },
  { id: 'created', title: 'Started', isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'actions',
    title: 'Actions',
    isTitleHidden: true,
    align: 'end',
    cell: (job) => <Actions job={job} onChange={onChange} />,
  },
];

function JobProgress({ job }: { job: ListedJobView }) {
  const { completed, total } = job;
  if (completed === undefined || total === undefined) {
    return job.error === undefined ? (
      <span class="faint">–</span>
    ) : (
      <span class="small cut">{plainLine(job.error)}</span>
    );
  }
  return (
    <div class="job-progress">
      <Progress value={completed} max={total} label={`Pages of ${job.target ?? 'the job'}`}>
        {pagesText(job)}
      </Progress>
    </div>
  );
}

function Actions({ job, onChange }: { job: ListedJobView; onChange: () => void }) {
  if (!isActive(job) || job.kind === 'check' || job.kind === 'extract') return null;
  const name = job.target === null ? KIND_NAMES[job.kind] : plainLine(job.target, 60);
  const run = async (work: Promise<boolean>) => {
    if (await work) onChange();
  };
  return (
    <span class="row job-actions">
      {(job.kind === 'crawl' || job.kind === 'batch') &&
        (job.paused ? (
          <Button isSmall kind="quiet" icon="play" label={`Resume ${name}`} onClick={() => run(resumeJob(job))} />
        ) : (
          <Button isSmall kind="quiet" icon="pause" label={`Pause ${name}`} onClick={() => run(pauseJob(job))} />
        ))}
      <Button isSmall kind="quiet" icon="stop" label={`Cancel ${name}`} onClick={() => run(cancelJob(job))} />
    </span>
  );
}
