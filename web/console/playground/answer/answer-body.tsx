// The answer of a call: what went wrong, how far a job is, and the views. Loaded with the first call.
import { useMemo, useRef } from 'preact/hooks';
import { count } from '../../ui/data/format.ts';
import { fieldsOf, plainLine } from '../../ui/data/untrusted.ts';
import { Problem } from '../../ui/states/problem.tsx';
import { Progress } from '../../ui/states/progress.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { WebLink } from '../../ui/text/web-link.tsx';
import type { Run } from '../run/run.ts';
import { pageFacts, type View, viewsOf } from './views/view.ts';
import { type ViewMemory, Views } from './views/views.tsx';
import { findExplanation } from './why/find-explanation.ts';
import { Why } from './why/why.tsx';

export function AnswerBody({ run }: { run: Run }) {
  const { operation, answer, error, state, job } = run;
  const views = useMemo(() => viewsOf({ operation, answer }), [operation, answer]);
  const found = useMemo(() => findExplanation({ answer, error }), [answer, error]);
  const memory = useRef<ViewMemory>({});
  const why = found && { id: 'why', label: 'Why this answer', content: <Why found={found} /> };
  // A job that failed has its last status as the body of its error.
  const all = error && error.body !== answer ? [...views, ...errorView(error.body)] : views;
  return (
    <>
      {error && <Problem error={error}>{why && <p class="small">Why this answer says what was tried.</p>}</Problem>}
      {job && <JobProgress job={job} isRunning={state === 'running'} />}
      <PageLine run={run} />
      {all.length === 0 && state === 'running' && !error && <Skeleton lines={10} label="Waiting for the answer" />}
      {(all.length > 0 || why) && (
        <Views
          label="Views of the answer"
          views={all}
          own={why ? [why] : []}
          isOwnFirst={error !== undefined}
          memory={memory.current}
        />
      )}
    </>
  );
}

const errorView = (body: unknown): View[] =>
  body === undefined
    ? []
    : [
        {
          id: 'error',
          label: 'Error as JSON',
          kind: 'json',
          value: body,
          file: { name: 'error.json', type: 'application/json' },
        },
      ];

function JobProgress({ job, isRunning }: { job: NonNullable<Run['job']>; isRunning: boolean }) {
  const { completed = 0, total = 0, status, kind } = job;
  if (kind !== 'crawl') {
    return isRunning ? <p class="soft" role="status">{`The ${kind} runs: ${status ?? 'starting'}.`}</p> : null;
  }
  // It stays when the crawl has ended, so that nothing moves.
  return (
    <Progress value={completed} max={total} label="Pages of the crawl">
      {count(completed)} of {count(total)} pages{status && isRunning ? `, ${status}` : ''}
    </Progress>
  );
}

/** Which page it is. */
function PageLine({ run: { operation, answer } }: { run: Run }) {
  if (operation !== 'scrape' && operation !== 'parse') return null;
  const { title, url } = pageFacts(fieldsOf(answer).data);
  if (title === undefined && url === undefined) return null;
  return (
    <div class="answer-page-line">
      {title !== undefined && (
        <h3>
          <bdi>{plainLine(title, 200)}</bdi>
        </h3>
      )}
      {url !== undefined && (
        <WebLink href={url} isCut>
          {plainLine(url)}
        </WebLink>
      )}
    </div>
  );
}
