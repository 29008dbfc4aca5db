// The lines of a unified diff, with what happened to each.
import { cutText } from './untrusted.ts';

type LineKind = 'added' | 'removed' | 'place' | 'same';

interface DiffLine {
  kind: LineKind;
  text: string;
}

const MAX_LINES = 1_000;
const MAX_LINE = 2_000;
const FILE_NAMES = /^(?:---|\+\+\+|diff|index) /;

/** The names of the files are left out. They stand before the first part: later lines may begin like them. */
export function diffLines(diff: string): { lines: DiffLine[]; isCut: boolean } {
  const all = diff.split('\n', MAX_LINES + 1);
  const start = Math.max(
    all.findIndex((line) => !FILE_NAMES.test(line)),
    0,
  );
  const lines = all.slice(start, MAX_LINES).map((line) => ({ kind: kindOf(line), text: cutText(line, MAX_LINE).text }));
  return { lines, isCut: all.length > MAX_LINES };
}

function kindOf(line: string): LineKind {
  if (line.startsWith('@@')) return 'place';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}
