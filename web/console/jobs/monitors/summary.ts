// What a check found, in a few words.
import type { CheckSummary } from '../../../../src/contracts/monitor/monitor-check.ts';
import { count, plural } from '../../ui/data/format.ts';

const WORDS = [
  ['changed', 'changed'],
  ['new', 'new'],
  ['removed', 'removed'],
  ['error', 'failed'],
] as const;

export function summaryText(summary: CheckSummary | null): string {
  if (!summary || summary.totalPages === 0) return 'nothing yet';
  const changes = WORDS.filter(([name]) => summary[name] > 0).map(([name, word]) => `${count(summary[name])} ${word}`);
  const pages = plural(summary.totalPages, 'page');
  return changes.length > 0 ? `${pages}: ${changes.join(', ')}` : `${pages}, no change`;
}
