// What a check found, in a few words.
import type { CheckSummary } from '../../../../src/contracts/monitor-check.ts';
import { count, plural } from '../../ui/format.ts';

const WORDS = [
  ['changed', 'changed'],
  ['new', 'new'],
  ['removed', 'removed'],
  ['error', 'failed'],
] as const;

export function summaryText(summary: CheckSummary | null): string {
  if (!summary) return 'nothing yet';
  const changes = WORDS.filter(([name]) => summary[name] > 0).map(([name, word]) => `${count(summary[name])} ${word}`);
  const pages = plural(summary.totalPages, 'page');
  return changes.length > 0 ? `${pages}: ${changes.join(', ')}` : `${pages}, no change`;
}

export type DiffLine = { kind: 'added' | 'removed' | 'place' | 'same'; text: string };

const MAX_LINES = 500;

/** The lines of a unified diff, without the names of the files. */
export function diffLines(text: string): { lines: DiffLine[]; isCut: boolean } {
  const all = text.split('\n').filter((line) => !/^(?:---|\+\+\+) /.test(line));
  const lines = all.slice(0, MAX_LINES).map((line): DiffLine => ({ kind: kindOf(line), text: line }));
  return { lines, isCut: all.length > MAX_LINES };
}

function kindOf(line: string): DiffLine['kind'] {
  if (line.startsWith('@@')) return 'place';
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
}
