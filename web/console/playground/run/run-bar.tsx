// Runs the request, ends it, and leads to the job that it has started.
import type { ComponentChildren } from 'preact';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import type { Run } from './run.ts';

interface Props {
  run: Run;
  action: string;
  /** Why it cannot be run now. */
  problem?: string;
  onCancel: () => void;
  children?: ComponentChildren;
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function RunBar({ run, action, problem, onCancel, children }: Props) {
  const isRunning = run.state === 'running';
  return (
    <div class="run-bar">
      <div class="row">
        <Button kind="primary" type="submit" icon="play" busy={isRunning}>
          {action}
        </Button>
        {/* One takes the place of the other, so that nothing moves. */}
        {isRunning ? (
          <Button icon="stop" onClick={onCancel}>
            {run.job?.kind === 'extract' ? 'Stop waiting' : 'Cancel'}
          </Button>
        ) : (
          <span class="faint small run-keys">
            <kbd>{isMac ? '⌘' : 'Ctrl'}</kbd> <kbd>Enter</kbd>
          </span>
        )}
        {children}
      </div>
      {problem !== undefined && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
      {run.job && (
        <div class="run-job">
          <ButtonLink isSmall icon="jobs" href={`/console/jobs/${run.job.kind}/${run.job.id}`}>
            Open the job
          </ButtonLink>
          <span class="soft small">It goes on if you leave this page.</span>
        </div>
      )}
    </div>
  );
}
