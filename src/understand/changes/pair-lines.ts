// Which line of a text stands where which line of an earlier one stood.
import type { LineEdit } from './diff-lines.ts';

export interface PairedLines {
  /** Where runs of lines begin before and after, and how long they are. */
  kept: (readonly [before: number, after: number, length: number])[];
  /** Lines that stand for one another. */
  changed: (readonly [before: number, after: number])[];
}

/** Lines that only differ in their numbers belong together wherever they stand, others by their places. */
export function pairLines(
  before: readonly string[],
  after: readonly string[],
  edits: readonly LineEdit[],
): PairedLines {
  const kept: PairedLines['kept'] = [];
  const blocks: { removed: number[]; added: number[] }[] = [];
  let [old, now] = [0, 0];
  for (const edit of edits) {
    const [removed, added] = 'kept' in edit ? [edit.kept, edit.kept] : [edit.removed, edit.added];
    if ('kept' in edit) kept.push([old, now, edit.kept]);
    else blocks.push({ removed: textsIn(before, old, removed), added: textsIn(after, now, added) });
    old += removed;
    now += added;
  }
  const shapes = Map.groupBy(
    blocks.flatMap(({ removed }) => removed),
    (at) => shapeOf(before[at]!),
  );
  const alike = new Map(
    blocks.flatMap(({ added }) => added).flatMap((at) => pairWith(at, shapes.get(shapeOf(after[at]!)))),
  );
  const paired = new Set(alike.values());
  const byPlace = blocks.flatMap(({ removed, added }) => {
    const [lonely, fresh] = [removed.filter((at) => !paired.has(at)), added.filter((at) => !alike.has(at))];
    return lonely.length === fresh.length ? lonely.map((at, index) => [at, fresh[index]!] as const) : [];
  });
  return { kept, changed: [...[...alike].map(([added, removed]) => [removed, added] as const), ...byPlace] };
}

const textsIn = (lines: readonly string[], from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index).filter((at) => lines[at]!.trim() !== '');

const shapeOf = (line: string): string => line.replace(/\d+/g, '0');

const pairWith = (added: number, removed: number[] | undefined): [number, number][] =>
  removed && removed.length > 0 ? [[added, removed.shift()!]] : [];
