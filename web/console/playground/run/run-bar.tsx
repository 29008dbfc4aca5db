// Runs the request, shows how far it is, and ends it.
import type { ComponentChildren } from 'preact';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { count, duration } from '../../ui/format.ts';
import { Progress } from '../../ui/progress.tsx';
import { Status, type Tone } from '../../ui/status.tsx';
import type { Run } from './run.ts';

interface Props {
  run: Run;
  action: string;
  /** Why it cannot be run now. */
  problem?: string;
  onCancel: () => void;
  children?: ComponentChildren;
}

const STATES: Readonly<Record<Exclude<Run['state'], 'idle'>, readonly [Tone, string]>> = {
  running: ['busy', 'Running'],
  done: ['good', 'Done'],
  failed: ['bad', 'Failed'],
  cancelled: ['idle', 'Cancelled'],
};

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function RunBar({ run, action, problem, onCancel, children }: Props) {
  const isRunning = run.state === 'running';
  return (
    <div class="run-bar">
      <div class="row">
        <Button kind="primary" type="submit" icon="play" busy={isRunning}>
          {action}
        </Button>
        {isRunning && (
          <Button icon="stop" onClick={onCancel}>
            {run.job?.kind === 'extract' ? 'Stop waiting' : 'Cancel'}
          </Button>
        )}
        <span class="faint small run-keys">
          <kbd>{isMac ? '⌘' : 'Ctrl'}</kbd> <kbd>Enter</kbd>
        </span>
        {children}
      </div>
      {problem !== undefined && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
      {/* Its height is reserved, so that nothing moves when a run begins. */}
      <div class="run-state" role="status">
        {run.state !== 'idle' && (
          <>
            <Status tone={STATES[run.state][0]}>{STATES[run.state][1]}</Status>
            <span class="soft small number">{duration(run.ms)}</span>
          </>
        )}
        {run.job && (
          <ButtonLink kind="quiet" isSmall icon="jobs" href={`/console/jobs/${run.job.kind}/${run.job.id}`}>
            Open the job
          </ButtonLink>
        )}
      </div>
      {run.job?.total !== undefined && (
        <Progress value={run.job.completed ?? 0} max={run.job.total} label="Pages read">
          {count(run.job.completed ?? 0)} of {count(run.job.total)} pages known so far
        </Progress>
      )}
    </div>
  );
}
