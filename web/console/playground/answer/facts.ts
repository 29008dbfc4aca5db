// What stands above every answer: how it went, how long it took, what it cost, where it came from, and what it warns of.

import { fieldsOf, listOf, numberOf, textOf } from '../../ui/data/untrusted.ts';
import type { Tone } from '../../ui/states/tone.ts';
import type { Run } from '../run/run.ts';
import { pageFacts } from './views/view.ts';

export interface AnswerFacts {
  state: { tone: Tone; text: string };
  ms: number;
  credits?: number;
  /** Only pages have one. */
  cache?: 'hit' | 'miss' | 'not used';
  /** Status of the page, or of the call if that failed. */
  status?: number;
  warnings: string[];
}

const STATES: Readonly<Record<Run['state'], AnswerFacts['state']>> = {
  idle: { tone: 'idle', text: 'Ready' },
  running: { tone: 'busy', text: 'Running' },
  done: { tone: 'good', text: 'Done' },
  failed: { tone: 'bad', text: 'Failed' },
  cancelled: { tone: 'idle', text: 'Cancelled' },
};

export function answerFacts(run: Run): AnswerFacts {
  const { answer, error, job, ms } = run;
  const body = fieldsOf(answer);
  const isPage = run.operation === 'scrape' || run.operation === 'parse';
  const page = isPage ? pageFacts(body.data) : {};
  const credits = creditsOf(run);
  const status = error ? (error.status >= 400 ? error.status : undefined) : page.status;
  return {
    state: stateOf(run, page),
    ms,
    ...(credits !== undefined && { credits }),
    ...(isPage && body.data !== undefined && { cache: cacheOf(page.cacheState) }),
    ...(status !== undefined && { status }),
    warnings: warningsOf(body, job?.status === 'failed'),
  };
}

function stateOf({ state, job }: Run, { status = 200, verdict }: { status?: number; verdict?: string }) {
  if (state === 'done' && job?.status === 'failed') return STATES.failed;
  if (state === 'done' && verdict !== undefined) return { tone: 'warn' as const, text: `Done: ${words(verdict)}` };
  if (state === 'done' && status >= 400) return { tone: 'warn' as const, text: `Done: the page answers ${status}` };
  return STATES[state];
}

const words = (verdict: string): string => verdict.slice(0, 40).replaceAll('-', ' ');

function creditsOf({ answer, error, job }: Run): number | undefined {
  const body = fieldsOf(answer);
  const metadata = fieldsOf(fieldsOf(body.data).metadata);
  const { explanation } = fieldsOf(fieldsOf(error?.body).details);
  return (
    numberOf(metadata.creditsUsed) ??
    numberOf(body.creditsUsed) ??
    job?.creditsUsed ??
    numberOf(fieldsOf(fieldsOf(explanation).cost).credits)
  );
}

const cacheOf = (state: string | undefined): AnswerFacts['cache'] =>
  state === 'hit' || state === 'miss' ? state : 'not used';

const MAX_WARNINGS = 20;

function warningsOf(body: Readonly<Record<string, unknown>>, isFailed: boolean): string[] {
  const all = [
    isFailed ? undefined : textOf(body.error),
    textOf(body.warning),
    textOf(fieldsOf(body.data).warning),
    ...listOf(body.warnings).map(textOf),
  ];
  return [...new Set(all.filter((text) => text !== undefined))].slice(0, MAX_WARNINGS);
}
