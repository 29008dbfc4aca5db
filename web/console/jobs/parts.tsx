// Small parts that several pages of jobs show.
import type { ComponentChildren } from 'preact';
import type { ListedJobView } from '../../../src/contracts/crawl/job-list.ts';
import { problemText } from '../api/api-error.ts';
import { Button } from '../ui/controls/button.tsx';
import { duration } from '../ui/data/format.ts';
import { Time } from '../ui/data/time.tsx';
import { Status } from '../ui/states/status.tsx';
import { toast } from '../ui/states/toasts.tsx';
import { isActive, stateOf } from './describe.ts';

export function JobStatus({ job }: { job: Pick<ListedJobView, 'status' | 'paused'> }) {
  const { tone, text } = stateOf(job);
  return <Status tone={tone}>{text}</Status>;
}

/** Says whether what is shown follows the job. Its place is kept, so that nothing moves. */
export function LiveMark({ isCutOff, job }: { isCutOff: boolean; job: Pick<ListedJobView, 'status'> }) {
  if (isCutOff) return <Status tone="warn">Connection lost, trying again</Status>;
  return isActive(job) ? <span class="live-mark">Live</span> : null;
}

/** Does what a button says, and tells how it went. */
export async function perform(work: () => Promise<string>): Promise<boolean> {
  try {
    toast(await work());
    return true;
  } catch (error) {
    toast(problemText(error), 'bad');
    return false;
  }
}

export const MoreButton = ({ onClick, busy }: { onClick: () => void; busy: boolean }) => (
  <div>
    <Button onClick={onClick} busy={busy}>
      Show older ones
    </Button>
  </div>
);

export const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div class="tile">
    <div class="tile-label">{label}</div>
    <div class="tile-value">{children}</div>
  </div>
);

/** When the job ran, and how long its result is there. */
export const TimeFacts = ({ job: { createdAt, finishedAt, expiresAt } }: { job: ListedJobView }) => (
  <>
    <Fact label="Started">
      <Time at={createdAt} />
    </Fact>
    <Fact label={finishedAt === null ? 'Ends' : 'Took'}>
      {finishedAt === null ? 'not yet' : duration(Date.parse(finishedAt) - Date.parse(createdAt))}
    </Fact>
    <Fact label={expiresAt === null ? 'Result kept for' : 'Result deleted'}>
      {expiresAt === null ? 'a day' : <Time at={expiresAt} />}
    </Fact>
  </>
);
