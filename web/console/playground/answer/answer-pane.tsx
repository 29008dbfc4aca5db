// The right half of the playground: what the call answered, and why. The views are loaded with the first call.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { count, duration } from '../../ui/data/format.ts';
import { cutText } from '../../ui/data/untrusted.ts';
import { Empty } from '../../ui/states/empty.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { Status } from '../../ui/states/status.tsx';
import { useLoad } from '../../ui/states/use-load.ts';
import { Words } from '../../ui/text/words.tsx';
import type { Operation, Run, RunSignal } from '../run/run.ts';
import { answerFacts } from './facts.ts';

const TEACHING: Readonly<Record<Operation, string>> = {
  scrape: 'Give the address of a page. It comes back as Markdown, HTML, links, data or a screenshot.',
  search: 'Say what you are looking for. The results appear here, with their pages if you ask for them.',
  answer: 'Ask a question. The answer appears here with the passages that it rests on.',
  crawl: 'Give the first page of a site. Its pages appear here while they are read.',
  map: 'Give the address of a site. The addresses of its pages appear here.',
  parse: 'Drop a file. Its text appears here as Markdown.',
  extract: 'Name pages, and say what you want to know. The data appears here as tables.',
  agent: 'Describe a task. The agent reads pages, and what it finds appears here.',
  browser: 'Open a browser. What your code prints and returns appears here.',
};

export function AnswerPane({ run }: { run: RunSignal }) {
  const current = run.value;
  const isIdle = current.state === 'idle';
  const pane = useRef<HTMLElement>(null);
  useShownWhenStarted(pane, current);
  return (
    <section ref={pane} class="answer" aria-label="Answer" aria-busy={current.state === 'running' ? 'true' : 'false'}>
      <Facts run={current} />
      {isIdle ? <Empty title="The answer appears here">{TEACHING[current.operation]}</Empty> : <Loaded run={current} />}
    </section>
  );
}

const BARELY_SEEN = 0.75;

/** On narrow screens the answer stands below the form: a call that has just started brings it into view. */
function useShownWhenStarted(pane: RefObject<HTMLElement | null>, { state, startedAt }: Run): void {
  const first = useRef(startedAt);
  useEffect(() => {
    if (state === 'idle' || startedAt === first.current) return;
    first.current = startedAt;
    const { top = 0 } = pane.current?.getBoundingClientRect() ?? {};
    if (top > innerHeight * BARELY_SEEN) pane.current?.scrollIntoView({ block: 'start' });
  }, [state, startedAt]);
}

function Loaded({ run }: { run: Run }) {
  const { data: module, error, reload } = useLoad(() => import('./answer-body.tsx'), []);
  if (error) return <Problem error={error} onRetry={reload} />;
  if (!module) return <Skeleton lines={10} />;
  return <module.AnswerBody run={run} />;
}

const MAX_WARNING = 1_000;

function Facts({ run }: { run: Run }) {
  const { state, ms, credits, cache, status, warnings } = answerFacts(run);
  const facts = [
    { label: 'Time', text: run.state === 'idle' ? '–' : duration(ms) },
    { label: 'Cost', text: credits === undefined ? '–' : `${count(credits)} ${credits === 1 ? 'credit' : 'credits'}` },
    { label: 'Cache', text: cache ?? '–' },
    { label: 'Status', text: status === undefined ? '–' : String(status) },
  ];
  return (
    <>
      <div class="answer-head">
        <h2>Answer</h2>
        <span role="status">
          <Status tone={state.tone}>{state.text}</Status>
        </span>
      </div>
      <dl class="answer-facts">
        {facts.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd class="number">{text}</dd>
          </div>
        ))}
      </dl>
      {warnings.map((text) => (
        <p key={text} class="notice notice-warn small">
          <span>
            <Words text={cutText(text, MAX_WARNING).text} />
          </span>
        </p>
      ))}
    </>
  );
}
