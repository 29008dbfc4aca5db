// Finds which lines of a text were removed and added, in bounded time. The usual algorithm (Myers) takes time that grows with
// the square of the changes, so texts that differ too much are first split at lines that occur once in both.
import { diffArrays } from 'diff';

/** Lines that are in both texts, or lines that were replaced by others. Either count of a replacement may be 0. */
export type LineEdit = { kept: number } | { removed: number; added: number };

/** Changed lines up to which the shortest list of changes is searched, in the whole text and between two anchors. */
const MAX_EDITS = 2_000;
const MAX_EDITS_BETWEEN = 200;

export function diffLines(before: readonly string[], after: readonly string[]): LineEdit[] {
  const ids = new Map<string, number>();
  const idOf = (line: string): number => {
    const id = ids.get(line) ?? ids.size;
    ids.set(line, id);
    return id;
  };
  const edits = new EditList();
  diffRange(before.map(idOf), after.map(idOf), edits, (old, now) => {
    if (!diffShortest(old, now, MAX_EDITS, edits)) diffAtAnchors(old, now, edits);
  });
  return edits.list;
}

type Lines = readonly number[];

/** Leaves out what both begin and end with, and diffs the rest. */
function diffRange(old: Lines, now: Lines, edits: EditList, diffMiddle: (old: Lines, now: Lines) => void): void {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  edits.keep(start);
  const [removed, added] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  if (removed.length === 0 || added.length === 0) edits.replace(removed.length, added.length);
  else diffMiddle(removed, added);
  edits.keep(end);
}

/** False, without an edit, if more lines than this were changed. */
function diffShortest(old: Lines, now: Lines, maxEditLength: number, edits: EditList): boolean {
  // No diff is shorter than that.
  if (Math.abs(old.length - now.length) > maxEditLength) return false;
  const changes = diffArrays(old as number[], now as number[], { maxEditLength });
  if (!changes) return false;
  for (const { added, removed, count } of changes) {
    if (removed) edits.replace(count, 0);
    else if (added) edits.replace(0, count);
    else edits.keep(count);
  }
  return true;
}

/** Splits both at lines that occur once in each (patience diff). What is between two of them is replaced if it differs too much. */
function diffAtAnchors(old: Lines, now: Lines, edits: EditList): void {
  const anchors = [...anchorsOf(old, now), { old: old.length, now: now.length }];
  const from = { old: 0, now: 0 };
  for (const anchor of anchors) {
    diffRange(old.slice(from.old, anchor.old), now.slice(from.now, anchor.now), edits, (removed, added) => {
      if (!diffShortest(removed, added, MAX_EDITS_BETWEEN, edits)) edits.replace(removed.length, added.length);
    });
    if (anchor.old < old.length) edits.keep(1);
    from.old = anchor.old + 1;
    from.now = anchor.now + 1;
  }
}

interface Anchor {
  old: number;
  now: number;
}

/** The longest list of unique lines that are in the same order in both. */
function anchorsOf(old: Lines, now: Lines): Anchor[] {
  const inOld = uniquePositions(old);
  const inNow = uniquePositions(now);
  const common: Anchor[] = [];
  for (const [line, position] of inOld) {
    const there = inNow.get(line);
    if (there !== undefined) common.push({ old: position, now: there });
  }
  return longestRising(common);
}

function uniquePositions(lines: Lines): Map<number, number> {
  const positions = new Map<number, number>();
  const repeated = new Set<number>();
  for (const [position, line] of lines.entries()) {
    if (positions.has(line)) repeated.add(line);
    else positions.set(line, position);
  }
  for (const line of repeated) positions.delete(line);
  return positions;
}

/** The pairs are in the order of `old`. Returns the longest selection in which `now` rises as well. */
function longestRising(pairs: readonly Anchor[]): Anchor[] {
  const ends: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  for (const [index, { now }] of pairs.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]!.now < now) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[index] = ends[low - 1]!;
    ends[low] = index;
  }
  const chosen: Anchor[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index]!) chosen.push(pairs[index]!);
  return chosen.reverse();
}

/** Joins neighbours of the same kind. */
class EditList {
  readonly list: LineEdit[] = [];

  keep(count: number): void {
    if (count === 0) return;
    const last = this.list.at(-1);
    if (last && 'kept' in last) last.kept += count;
    else this.list.push({ kept: count });
  }

  replace(removed: number, added: number): void {
    if (removed === 0 && added === 0) return;
    const last = this.list.at(-1);
    if (last && 'removed' in last) {
      last.removed += removed;
      last.added += added;
    } else this.list.push({ removed, added });
  }
}
