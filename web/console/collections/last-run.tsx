// How the last run of a collection ended, and what it found.
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { count } from '../ui/data/format.ts';
import { plainLine } from '../ui/data/untrusted.ts';
import { Status } from '../ui/states/status.tsx';
import { WebLink } from '../ui/text/web-link.tsx';

export type Collection = ResponseOf<'getCollection'>['data'];

const TONES = { completed: 'good', failed: 'bad', partial: 'warn' } as const;
const WORDS = [
  ['added', 'added'],
  ['changed', 'changed'],
  ['deleted', 'deleted'],
  ['same', 'unchanged'],
  ['problems', 'with problems'],
] as const;

export function RunStatus({ collection: { currentRunId, lastRun } }: { collection: Collection }) {
  if (currentRunId !== null) return <Status tone="busy">Running</Status>;
  if (!lastRun) return <Status tone="idle">Never run</Status>;
  return (
    <Status tone={TONES[lastRun.status as keyof typeof TONES] ?? 'warn'}>{lastRun.status.replaceAll('_', ' ')}</Status>
  );
}

/** `3 added, 1 changed`. */
export function foundText({ lastRun }: Collection): string {
  const summary = lastRun?.summary;
  if (!summary) return '–';
  const found = WORDS.filter(([name]) => summary[name] > 0).map(([name, word]) => `${count(summary[name])} ${word}`);
  return found.join(', ') || 'nothing';
}

/** What went wrong in the last run, and what was kept for that reason. */
export function Problems({ collection: { lastRun } }: { collection: Collection }) {
  if (!lastRun) return null;
  const { error, kept, problems } = lastRun;
  if (error === null && kept.length === 0 && problems.length === 0) return null;
  return (
    <section class="notice notice-warn" aria-label="Problems of the last run">
      <p class="notice-title">{error === null ? 'The last run met problems.' : plainLine(error)}</p>
      {kept.map((sentence) => (
        <p key={sentence}>{plainLine(sentence)}</p>
      ))}
      {problems.map(({ url, problem }) => (
        <p key={url} class="small">
          <WebLink href={url} isCut>
            {plainLine(url, 200)}
          </WebLink>{' '}
          {plainLine(problem)}
        </p>
      ))}
    </section>
  );
}
