// The buttons of a crawl or a batch: pause, resume, cancel, extend, retry, export.
import { useState } from 'preact/hooks';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/controls/dialog.tsx';
import { Field, NumberInput } from '../../ui/controls/field.tsx';
import { count } from '../../ui/data/format.ts';
import { isActive } from '../describe.ts';
import { cancelJob, extendCrawl, pauseJob, resumeJob, retryJob } from '../job-actions.ts';
import { ExportDialog } from './export-dialog.tsx';
import type { PageJobDetails } from './page-rows.ts';

interface Props {
  job: PageJobDetails;
  onChange: () => void;
}

type Open = 'extend' | 'export';
/** Limit of the contract. */
const MAX_LIMIT = 1_000_000;

export function PageJobActions({ job, onChange }: Props) {
  const [open, setOpen] = useState<Open | undefined>();
  const [busy, setBusy] = useState(false);
  const run = async (work: Promise<boolean>) => {
    setBusy(true);
    const isDone = await work;
    setBusy(false);
    if (isDone) onChange();
    return isDone;
  };
  const isRunning = isActive(job);
  const canExtend = job.kind === 'crawl' && (isRunning || job.status === 'completed');
  const canRetry = job.status !== 'cancelled' && ((job.failed ?? 0) > 0 || job.status === 'failed');
  return (
    <>
      {isRunning && !job.paused && (
        <Button icon="pause" busy={busy} onClick={() => run(pauseJob(job))}>
          Pause
        </Button>
      )}
      {isRunning && job.paused && (
        <Button kind="primary" icon="play" busy={busy} onClick={() => run(resumeJob(job))}>
          Resume
        </Button>
      )}
      {canRetry && (
        <Button icon="refresh" busy={busy} onClick={() => run(retryJob(job))}>
          Retry failed
        </Button>
      )}
      {canExtend && (
        <Button icon="plus" onClick={() => setOpen('extend')}>
          Extend limit
        </Button>
      )}
      <Button icon="download" disabled={(job.completed ?? 0) === 0} onClick={() => setOpen('export')}>
        Export
      </Button>
      {isRunning && (
        <Button kind="danger" icon="stop" onClick={() => run(cancelJob(job))}>
          Cancel
        </Button>
      )}
      {open === 'export' && <ExportDialog job={job} onClose={() => setOpen(undefined)} />}
      {open === 'extend' && (
        <ExtendDialog
          job={job}
          onClose={() => setOpen(undefined)}
          onExtend={async (limit) => {
            if (await run(extendCrawl(job, limit))) setOpen(undefined);
          }}
        />
      )}
    </>
  );
}

function ExtendDialog({
  job,
  onClose,
  onExtend,
}: {
  job: PageJobDetails;
  onClose: () => void;
  onExtend: (limit: number) => void;
}) {
  const current = job.limit ?? 0;
  const [limit, setLimit] = useState<number | undefined>(Math.min(MAX_LIMIT, current * 2));
  const isValid = limit !== undefined && Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT;
  return (
    <Dialog title="Extend the limit" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid) onExtend(limit);
        }}
      >
        <p>
          The crawl reads at most {count(current)} pages now. With a higher limit it goes on with the links that it has
          already found, also if it had ended.
        </p>
        <Field
          label="Maximum number of pages"
          error={isValid ? undefined : `Enter a whole number from 1 to ${count(MAX_LIMIT)}.`}
        >
          <NumberInput value={limit} onInput={setLimit} min={1} max={MAX_LIMIT} />
        </Field>
        <div class="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={!isValid || limit === current}>
            Set the limit
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
