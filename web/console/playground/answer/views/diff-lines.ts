// The lines of a unified diff, with what happened to each.
import { cutText } from '../../../ui/untrusted.ts';

export type LineKind = 'added' | 'removed' | 'place' | 'same';

export interface DiffLine {
  kind: LineKind;
  text: string;
}

const MAX_LINES = 2_000;
const MAX_LINE = 2_000;
const KINDS: Readonly<Record<string, LineKind>> = { '+': 'added', '-': 'removed', '@': 'place' };

export function diffLines(diff: string): { lines: DiffLine[]; isCut: boolean } {
  const all = diff.split('\n', MAX_LINES + 1);
  const lines = all
    .slice(0, MAX_LINES)
    .filter((line) => !/^(?:---|\+\+\+|diff |index )/.test(line))
    .map((line) => ({ kind: KINDS[line[0] ?? ''] ?? 'same', text: cutText(line, MAX_LINE).text }));
  return { lines, isCut: all.length > MAX_LINES };
}
