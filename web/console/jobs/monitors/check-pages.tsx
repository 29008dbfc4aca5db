// What a check found on each page: its state, and what has changed.
import { useState } from 'preact/hooks';
import type { CheckPage, CheckView, PageStatus } from '../../../../src/contracts/monitor/monitor-check.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/controls/button.tsx';
import { UnifiedDiff } from '../../ui/data/unified-diff.tsx';
import { plainLine } from '../../ui/data/untrusted.ts';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { Status } from '../../ui/states/status.tsx';
import type { Tone } from '../../ui/states/tone.ts';
import { WebLink } from '../../ui/text/web-link.tsx';
import { useLive } from '../use-live.ts';

const PAGE = 25;
const POLL_MS = 2_000;

const TONES: Readonly<Record<PageStatus, Tone>> = {
  same: 'idle',
  new: 'good',
  changed: 'busy',
  removed: 'warn',
  error: 'bad',
};
const NAMES: Readonly<Record<PageStatus, string>> = {
  same: 'No change',
  new: 'New',
  changed: 'Changed',
  removed: 'Removed',
  error: 'Failed',
};

export function CheckPages({ monitorId, check }: { monitorId: string; check: CheckView }) {
  const [skip, setSkip] = useState(0);
  const isRunning = check.status === 'queued' || check.status === 'running';
  const { data, error, reload } = useLive(
    async (signal) =>
      (await call('getCheck', { params: { id: monitorId, checkId: check.id }, query: { limit: PAGE, skip }, signal }))
        .data,
    () => (isRunning ? POLL_MS : 0),
    [check.id, skip, isRunning],
  );
  if (!data) return error ? <Problem error={error} onRetry={reload} /> : <Skeleton lines={6} />;
  return (
    <section class="stack" aria-label="Pages of the check">
      <h2>Pages of this check</h2>
      {data.error !== null && <p class="notice notice-bad">{plainLine(data.error)}</p>}
      {data.pages.length === 0 && (
        <p class="soft">{isRunning ? 'No page has been read yet.' : 'This check has no pages.'}</p>
      )}
      {data.pages.map((page) => (
        <CheckedPage key={page.id} page={page} />
      ))}
      <div class="row">
        {skip > 0 && <Button onClick={() => setSkip(skip - PAGE)}>Pages before</Button>}
        {data.pages.length === PAGE && <Button onClick={() => setSkip(skip + PAGE)}>More pages</Button>}
      </div>
    </section>
  );
}

function CheckedPage({ page }: { page: CheckPage }) {
  const { url, status, error, diff, judgment } = page;
  const text = diff?.text ?? (diff?.json ? JSON.stringify(diff.json, null, 2) : undefined);
  return (
    <article class="card stack">
      <div class="row">
        <Status tone={TONES[status]}>{NAMES[status]}</Status>
        <span class="checked-url">
          <WebLink href={url} isCut>
            {plainLine(url, 300)}
          </WebLink>
        </span>
      </div>
      {error !== null && <p>{plainLine(error)}</p>}
      {judgment && (
        <p class="soft">
          {judgment.meaningful ? 'It matters' : 'It does not matter'} for the goal: {plainLine(judgment.reason)}
        </p>
      )}
      {text !== undefined && <UnifiedDiff text={text} />}
    </article>
  );
}
