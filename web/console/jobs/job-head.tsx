// The head of a job's page: what it is about, its state, and its buttons.
import type { ComponentChildren } from 'preact';
import type { ListedJobView } from '../../../src/contracts/crawl/job-list.ts';
import { ApiError } from '../api/api-error.ts';
import { ButtonLink } from '../ui/controls/button.tsx';
import { plainLine } from '../ui/data/untrusted.ts';
import { PageHead } from '../ui/page-head.tsx';
import { Empty } from '../ui/states/empty.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { KIND_NAMES } from './describe.ts';
import { JobStatus, LiveMark } from './parts.tsx';

interface Props {
  job: ListedJobView;
  isCutOff: boolean;
  /** Why it could not be loaded again, if that will not pass by itself. */
  error?: unknown;
  /** Buttons. */
  children?: ComponentChildren;
}

export function JobHead({ job, isCutOff, error, children }: Props) {
  const name = KIND_NAMES[job.kind];
  return (
    <>
      <BackLink />
      <PageHead
        title={job.target === null ? name : `${name}: ${plainLine(job.target, 120)}`}
        intro={
          <span class="row">
            <JobStatus job={job} />
            <LiveMark isCutOff={isCutOff} job={job} />
            <code class="small soft">{job.id}</code>
          </span>
        }
      >
        {children}
      </PageHead>
      {error && !isCutOff ? <Problem error={error} /> : null}
      {job.error !== undefined && (
        <div class="notice notice-bad" role="alert">
          <p class="notice-title">The job failed.</p>
          <p>{plainLine(job.error)}</p>
        </div>
      )}
    </>
  );
}

export const BackLink = ({ tab }: { tab?: 'monitors' }) => (
  <p class="small back-link">
    <a href={tab ? `/console/jobs?tab=${tab}` : '/console/jobs'}>{tab ? 'All monitors' : 'All jobs'}</a>
  </p>
);

/** Stands in for a job that could not be loaded. */
export function JobProblem({ name, error, onRetry }: { name: string; error: unknown; onRetry: () => void }) {
  const isGone = error instanceof ApiError && (error.status === 404 || error.code === 'INVALID_JOB_ID');
  return (
    <>
      <BackLink />
      <PageHead title={name} />
      {isGone ? (
        <Empty title="Job not found">
          <p>
            Results are deleted a day after a job ends. The address may also be wrong, or the job may belong to another
            team.
          </p>
          <ButtonLink href="/console/jobs">Show all jobs</ButtonLink>
        </Empty>
      ) : (
        <Problem error={error} onRetry={onRetry} />
      )}
    </>
  );
}
