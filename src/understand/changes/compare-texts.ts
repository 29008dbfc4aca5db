// Compares the text of a page with an earlier version of it.
import { type ComparedText, comparedLine, linesOf, toCompare, wholeText } from './compared-text.ts';
import { diffLines, type LineEdit } from './diff-lines.ts';
import { followMoves } from './restless-lines.ts';
import { readGoal } from './rules/read-goal.ts';
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
  /** If lines that move at every look do not count. */
  restless?: RestlessLines;
}

export interface RestlessLines {
  /** As they are now. */
  lines: string[];
  /** The earlier text, in which these lines are as they are now. */
  before: string;
}

export interface TextComparing {
  wantsDiff: boolean;
  /** Given if lines that move at every look do not count, unless the goal says that somebody watches them. */
  restless?: { goal?: string };
}

/** Two texts line by line: as they stand there, and what of each line is compared. */
interface Sides {
  before: readonly string[];
  after: readonly string[];
  compared: { before: readonly string[]; after: readonly string[] };
}

export function compareTexts(
  earlier: ComparedText | undefined,
  markdown: string,
  { wantsDiff, restless: asked }: TextComparing,
): Comparison {
  const toKeep = toCompare(markdown);
  if (!earlier) return { toKeep, isSame: false };
  const [before, after] = [linesOf(earlier.markdown), linesOf(toKeep.markdown)];
  const sides: Sides = {
    before,
    after,
    compared: { before: before.map(comparedLine), after: after.map(comparedLine) },
  };
  const isWhole = toKeep.hash === undefined && earlier.hash === undefined;
  const isSame = isWhole ? areEqual(sides) : earlier.hash === toKeep.hash;
  const isFollowed = asked !== undefined && isWhole && (!isSame || earlier.moving !== undefined);
  if (isSame && !isFollowed) return { toKeep, isSame };
  const edits = editsOf(sides);
  const shown = (found: Sides, all: readonly LineEdit[]) => (wantsDiff ? shownDiff(found, all, isWhole) : {});
  if (!isFollowed) return { toKeep, isSame, ...shown(sides, edits) };
  const { moving, restless } = followMoves(earlier.moving ?? [], { before, after, edits }, readGoal(asked.goal));
  const kept = { ...toKeep, ...(moving.length > 0 && { moving }) };
  if (restless.length === 0) return { toKeep: kept, isSame, ...(!isSame && shown(sides, edits)) };
  const settled = settledSides(sides, restless);
  const isSettled = areEqual(settled);
  return {
    toKeep: kept,
    isSame: isSettled,
    restless: { lines: restless.map(([, now]) => after[now]!), before: settled.before.join('\n') },
    ...(!isSettled && shown(settled, editsOf(settled))),
  };
}

const areEqual = ({ compared: { before, after } }: Sides): boolean => wholeText(before) === wholeText(after);
const editsOf = ({ compared: { before, after } }: Sides): LineEdit[] => diffLines(before, after);

/** The lines before that no longer count are as they are now. */
function settledSides({ before, after, compared }: Sides, pairs: readonly (readonly [number, number])[]): Sides {
  const nowOf = new Map(pairs);
  const settled = (old: readonly string[], now: readonly string[]) =>
    old.map((line, at) => (nowOf.has(at) ? now[nowOf.get(at)!]! : line));
  return {
    before: settled(before, after),
    after,
    compared: { before: settled(compared.before, compared.after), after: compared.after },
  };
}

function shownDiff({ before, after }: Sides, edits: readonly LineEdit[], isWhole: boolean) {
  const { isCut, ...diff } = unifiedDiff(before, after, edits);
  return { diff, ...((isCut || !isWhole) && { isCut: true as const }) };
}
