// Compares the text of a page with an earlier version of it.
import { type ComparedText, comparedLine, linesOf, toCompare, wholeText } from './compared-text.ts';
import { diffLines } from './diff-lines.ts';
import { type UnifiedDiff, unifiedDiff } from './unified-diff.ts';

export interface Comparison {
  /** What the next version is compared with. */
  toKeep: ComparedText;
  /** False if there is no earlier version. */
  isSame: boolean;
  /** If it was asked for and the text has changed. */
  diff?: UnifiedDiff;
  /** The diff does not show all that has changed. */
  isCut?: true;
}

export function compareTexts(earlier: ComparedText | undefined, markdown: string, wantsDiff: boolean): Comparison {
  const toKeep = toCompare(markdown);
  if (!earlier) return { toKeep, isSame: false };
  const [before, after] = [linesOf(earlier.markdown), linesOf(toKeep.markdown)];
  const compared = { before: before.map(comparedLine), after: after.map(comparedLine) };
  const isSame =
    earlier.hash === toKeep.hash &&
    (toKeep.hash !== undefined || wholeText(compared.before) === wholeText(compared.after));
  if (isSame || !wantsDiff) return { toKeep, isSame };
  const { isCut, ...diff } = unifiedDiff(before, after, diffLines(compared.before, compared.after));
  const isPart = isCut || toKeep.hash !== undefined || earlier.hash !== undefined;
  return { toKeep, isSame, diff, ...(isPart && { isCut: true as const }) };
}
